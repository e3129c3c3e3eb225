#!/bin/sh
# List the project's files, one a line, relative to the source folder: what git tracks or would track, or, in an
# unpacked archive, all but what a build leaves. Usage: files.sh [FOLDER]
set -u
cd "${1:-.}" || exit
if [ -e .git ] && git ls-files --cached --others --exclude-standard 2>/dev/null | grep -q .; then
    git ls-files --cached --others --exclude-standard | sort -u | while IFS= read -r file; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done
else
    find . -path ./.git -prune -o -path ./build -prune -o -path ./autom4te.cache -prune -o -type f \
        ! -name configure ! -name config.mk ! -name config.log ! -name config.status ! -name 'acre-*.tar.gz' \
        -print | sed 's|^\./||' | sort
fi
