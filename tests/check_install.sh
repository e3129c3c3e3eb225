#!/bin/sh
# `make install` into a folder of its own: every part is there, the command runs, README's C example compiles
# against it by pkg-config and runs, and `make uninstall` leaves nothing.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
: "${CC:=cc}" "${PKG_CONFIG:=pkg-config}" "${MAKE:=make}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root/opt/acre

run_make() { "$MAKE" --no-print-directory BUILD="$BUILD" CC="$CC" DESTDIR="$work/root" PREFIX=/opt/acre "$1" >&2; }

run_make install || {
    echo "not ok install: make install fails"
    exit 1
}
missing=''
for part in bin/acre lib/libacre.so lib/libacre.so.0 lib/pkgconfig/acre.pc include/acre/acre.h \
    share/doc/acre/LICENSE share/doc/acre/README.md; do
    [ -e "$root/$part" ] || missing="$missing $part"
done
[ -z "$missing" ] && echo "ok install" || echo "not ok install: no$missing"
# Moved elsewhere, the command still finds its own library.
env -u LD_LIBRARY_PATH "$root/bin/acre" info >&2 && echo "ok install: command" ||
    echo "not ok install: command: exit status $?"

example() { awk '/^```c$/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$1"; }
if ! command -v "${PKG_CONFIG%% *}" > /dev/null; then
    echo "skip README example: pkg-config is missing"
elif ! example "$SRCDIR/README.md" > "$work/example.c" || ! [ -s "$work/example.c" ]; then
    echo "not ok README example: README.md has no C block"
else
    PKG_CONFIG_PATH=$root/lib/pkgconfig
    export PKG_CONFIG_PATH
    flags=$($PKG_CONFIG --define-variable=prefix="$root" --cflags --libs acre)
    # shellcheck disable=SC2086 # flags are words
    if ! $CC -std=c11 -Wall -Wextra -Werror "$work/example.c" $flags -o "$work/example" >&2; then
        echo "not ok README example: does not compile with $flags"
    elif ! (cd "$work" && LD_LIBRARY_PATH=$root/lib ./example >&2); then
        echo "not ok README example: fails when run"
    else
        echo "ok README example"
    fi
fi

run_make uninstall
left=$(find "$work/root" ! -type d)
[ -z "$left" ] && echo "ok uninstall" || echo "not ok uninstall: leaves" $left
