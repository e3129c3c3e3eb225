#!/bin/sh
# The library exports acre_* and nothing else, and every function that the public headers declare.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
: "${CC:=cc}" "${NM:=nm}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v "${NM%% *}" > /dev/null || {
    echo "skip symbols: nm is missing"
    exit 0
}

exported() { $NM --dynamic --defined-only "$1" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u; }
strangers() { exported "$1" | grep -v '^acre_'; }
# The functions that the public headers of a folder declare with ACRE_API.
declared()
{
    cat "$1"/*.h | grep -v '^#' | tr '\n' ' ' | grep -o 'ACRE_API [^;(]*(' |
        sed 's/[[:space:]]*($//; s/.*[^a-z0-9_]//' | sort -u
}

mkdir "$work/include"
cat > "$work/planted.c" << 'END'
int acre_fine(void), rogue(void);
int acre_fine(void) { return 1; }
int rogue(void) { return 2; }
END
cat > "$work/include/planted.h" << 'END'
ACRE_API int acre_fine(void);
ACRE_API const char *
acre_absent(int a, int (*b)(int));
END
if $CC -shared -fPIC "$work/planted.c" -o "$work/planted.so"; then
    found=$(strangers "$work/planted.so")
    exported "$work/planted.so" > "$work/have"
    missing=$(declared "$work/include" | comm -23 - "$work/have")
    [ "$found $missing" = "rogue acre_absent" ] && echo "ok symbols self-test" ||
        echo "not ok symbols self-test: strangers '$found', missing '$missing'"
else
    echo "not ok symbols self-test: can't build a library with $CC"
fi

found=$(strangers "$BUILD/libacre.so")
exported "$BUILD/libacre.so" > "$work/have"
[ -s "$work/have" ] && [ -z "$found" ] && echo "ok symbols are acre_* only" ||
    echo "not ok symbols are acre_* only: libacre.so exports" $found
declared "$SRCDIR/include/acre" > "$work/declared"
missing=$(comm -23 "$work/declared" "$work/have")
[ -s "$work/declared" ] && [ -z "$missing" ] && echo "ok symbols of the headers are exported" ||
    echo "not ok symbols of the headers are exported: libacre.so lacks" $missing
