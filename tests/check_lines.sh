#!/bin/sh
# No file of the project is above 700 lines; 600 is the wish. Documents are exempt.
set -u
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
limit=700
wish=600
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check FOLDER < list of files: the ones that are too long, `FILE: N lines`, and a note on those near it.
check()
{
    while IFS= read -r file; do
        case $file in docs/* | LICENSE) continue ;; esac
        lines=$(wc -l < "$1/$file")
        if [ "$lines" -gt $limit ]; then
            echo "$file: $lines lines"
        elif [ "$lines" -gt $wish ]; then
            echo "note: $file has $lines lines, above the $wish wished for" >&2
        fi
    done
}

seq 701 > "$work/long.c"
seq 700 > "$work/edge.c"
found=$(printf 'long.c\nedge.c\n' | check "$work" 2> /dev/null)
[ "$found" = "long.c: 701 lines" ] && echo "ok lines self-test" || echo "not ok lines self-test: '$found'"

sh "$SRCDIR/scripts/files.sh" "$SRCDIR" > "$work/files"
found=$(check "$SRCDIR" < "$work/files")
[ -s "$work/files" ] && [ -z "$found" ] && echo "ok lines" ||
    echo "not ok lines: above $limit:" $found
