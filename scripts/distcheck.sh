#!/bin/sh
# Unpack the packed sources into a read-only folder, build and test them in another one, install, uninstall, and
# see that the sources are untouched and nothing is left.
set -eu
name=acre-$VERSION
work=$(mktemp -d)
cleanup()
{
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap cleanup EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD SRCDIR || true
tar -xzf "$name.tar.gz" -C "$work"
chmod -R a-w "$work/$name"
( cd "$work/$name" && find . -type f -exec cksum {} + | sort ) > "$work/before"

mkdir "$work/out"
cd "$work/out"
CC=$CC "$work/$name/configure" --quiet --prefix="$work/prefix"
"$MAKE" -j "$(nproc)"
"$MAKE" check
"$MAKE" install
"$work/prefix/bin/acre" info > /dev/null
"$MAKE" uninstall
left=$(find "$work/prefix" ! -type d)
[ -z "$left" ] || {
    echo "uninstall leaves: $left" >&2
    exit 1
}
( cd "$work/$name" && find . -type f -exec cksum {} + | sort ) | cmp - "$work/before"
echo "distcheck: $name.tar.gz builds out of tree from a read-only folder, passes, installs and uninstalls"
