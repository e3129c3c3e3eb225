#!/bin/sh
# Formatting, warnings as errors, clang-tidy, cppcheck and shellcheck over the project's files, counted like tests.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=$(nproc)
passed=0
failed=0
skipped=0

tool() # NAME FUNCTION: run it when there is a command NAME, count it, show what it says when it fails
{
    name=$1
    if ! command -v "$name" > /dev/null; then
        echo "skip lint/$name: it is missing"
        skipped=$((skipped + 1))
    elif "$2" > "$work/log" 2>&1; then
        echo "  lint $name: clean"
        passed=$((passed + 1))
    else
        cat "$work/log"
        echo "not ok lint/$name"
        failed=$((failed + 1))
    fi
}

over() # LIST COUNT COMMAND...: run the command on the files of the list, COUNT at a time
{
    list=$1
    count=$2
    shift 2
    xargs -P "$jobs" -n "$count" "$@" < "$list"
}
clang_format()
{
    over "$work/c" 50 clang-format --dry-run -Werror > "$work/format" 2>&1 && return
    sed -n 's/^\([^:]*\):[0-9]*:.* error: .*/\1 needs clang-format -i/p' "$work/format" | sort -u
    return 1
}
clang_tidy()
{
    over "$work/made" 3 sh -c 'clang-tidy --quiet "$@" -- -std=c11 -fopenmp -I include -I . -D_GNU_SOURCE \
        "-DACRE_VERSION=\"0\"" "-DACRE_TEST_DATA=\".\"" "-DACRE_SOURCE_DIR=\".\""' sh > "$work/tidy" 2>&1 && return
    grep -v ' generated\.$' "$work/tidy"
    return 1
}
cpp_check()
{
    cppcheck --quiet --std=c11 --language=c -j "$jobs" --error-exitcode=1 --inline-suppr \
        --enable=warning,performance,portability --suppress=missingIncludeSystem -D_GNU_SOURCE \
        '-DACRE_VERSION="0"' '-DACRE_TEST_DATA="."' '-DACRE_SOURCE_DIR="."' -I include -I . --file-list="$work/made"
}
shell_check() { over "$work/sh" 50 shellcheck --severity=warning --shell=sh; }
warnings() { (cd "$top" && "$MAKE" --no-print-directory BUILD="$BUILD/lint" WERROR=1 all tests); }

top=$(pwd)
cd "$SRCDIR" || exit
sh scripts/files.sh . > "$work/all"
grep '\.[ch]$' "$work/all" > "$work/c"
grep '\.c$' "$work/all" > "$work/sources"
grep -v '^tests/main.c$' "$work/sources" > "$work/made"
grep -E '\.sh$|^\.ci/run$' "$work/all" > "$work/sh"

tool clang-format clang_format
tool shellcheck shell_check
tool "${CC%% *}" warnings
tool cppcheck cpp_check
tool clang-tidy clang_tidy
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
