#!/bin/sh
# The example of a plugin as a stranger builds it: by its own Makefile, against the installed headers that pkg-config
# finds, away from the sources. On it formulas and the plaquette give the host's bits.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
: "${CC:=cc}" "${PKG_CONFIG:=pkg-config}" "${MAKE:=make}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root/opt/acre
unset ACRE_BACKEND ACRE_DEVICES ACRE_PLUGIN_PATH

command -v "${PKG_CONFIG%% *}" > /dev/null || {
    echo "skip plugin: pkg-config is missing"
    exit 0
}
"$MAKE" --no-print-directory BUILD="$BUILD" CC="$CC" DESTDIR="$work/root" PREFIX=/opt/acre install >&2 || {
    echo "not ok plugin: make install fails"
    exit 1
}
cp -R "$SRCDIR/examples/plugin" "$work/plugin"
chmod -R u+w "$work/plugin"
cd "$work/plugin" || exit
PKG_CONFIG_PATH=$root/lib/pkgconfig
export PKG_CONFIG_PATH
# What the outer make set must not reach this one, as it doesn't in a stranger's shell.
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$MAKE" CC="$CC" CFLAGS='-O2 -Wall -Wextra -Werror' \
    PKG_CONFIG="$PKG_CONFIG --define-variable=prefix=$root" >&2 &&
    [ -e acre_shadow.so ] && echo "ok plugin builds against the installed headers" || {
    echo "not ok plugin builds against the installed headers"
    exit 1
}

acre=$root/bin/acre
ACRE_PLUGIN_PATH=$work/plugin
export ACRE_PLUGIN_PATH
"$acre" info > "$work/info" && grep -q "plugin $work/plugin/acre_shadow.so" "$work/info" &&
    echo "ok plugin is found" || echo "not ok plugin is found: $(cat "$work/info")"
[ "$("$acre" info | sed -n '/^selected/{n;p;}' | tr -d ' ')" = hosthost:0 ] &&
    echo "ok plugin is not chosen unasked" || echo "not ok plugin is not chosen unasked"

# The demonstration makes links by a formula, measures them and writes them: the same file, byte for byte.
for backend in host shadow; do
    ACRE_BACKEND=$backend "$acre" demo --lattice 6x4x4x8 --file "$work/$backend" --keep > "$work/$backend.log" ||
        echo "not ok plugin runs the demonstration on $backend: $(tail -n 3 "$work/$backend.log")"
done
cmp "$work/host" "$work/shadow" && echo "ok plugin gives the host's bits to formulas" ||
    echo "not ok plugin gives the host's bits to formulas"

# measure BACKEND OPTION...: the results, without the names of devices.
measure()
{
    backend=$1
    shift
    ACRE_BACKEND=$backend "$acre" plaquette --json "$@" "$work/host" |
        sed 's/"backend": "[a-z]*", "devices": \[[^]]*\]//'
}
why=
for options in '' '--storage=half' '--order=site-slow' '--sites=lexicographic' '--precision=single --storage=half'; do
    # shellcheck disable=SC2086 # options are words
    host=$(measure host $options) shadow=$(measure shadow $options)
    [ -n "$host" ] && [ "$host" = "$shadow" ] || why="$why [$options] $shadow instead of $host"
done
[ -z "$why" ] && echo "ok plugin gives the host's bits to the plaquette" ||
    echo "not ok plugin gives the host's bits to the plaquette:$why"
ACRE_DEVICES=host:0,shadow:1,shadow:0 "$acre" info | grep -q '^  host+shadow host:0 shadow:1 shadow:0$' &&
    echo "ok plugin goes together with the host" || echo "not ok plugin goes together with the host"
