#!/bin/sh
# Every public header compiles alone, without a warning, as C11 (gcc, clang) and as C++11 (g++).
set -u
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check FOLDER-OF-INCLUDE COMPILER LANGUAGE SUFFIX: the headers that do not compile.
check()
{
    for header in "$1"/acre/*.h; do
        printf '#include "acre/%s"\n#include "acre/%s"\n' "${header##*/}" "${header##*/}" > "$work/alone.$4"
        $2 "-std=$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$1" "$work/alone.$4" >&2 ||
            printf '%s ' "${header##*/}"
    done
}

mkdir -p "$work/include/acre"
echo 'size_t acre_planted(void);' > "$work/include/acre/planted.h"
printf '#include <stddef.h>\nsize_t acre_fine(void);\n' > "$work/include/acre/fine.h"

try() # COMPILER LANGUAGE SUFFIX
{
    command -v "$1" > /dev/null || {
        echo "skip headers $1 $2: $1 is missing"
        return
    }
    found=$(check "$work/include" "$1" "$2" "$3" 2> /dev/null)
    [ "$found" = "planted.h " ] && echo "ok headers $1 $2 self-test" ||
        echo "not ok headers $1 $2 self-test: '$found'"
    found=$(check "$SRCDIR/include" "$1" "$2" "$3")
    [ -z "$found" ] && echo "ok headers $1 $2" || echo "not ok headers $1 $2: $found"
}
try gcc c11 c
try clang c11 c
try g++ c++11 cpp
