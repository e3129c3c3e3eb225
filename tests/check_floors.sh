#!/bin/sh
# Includes go downwards only: a file includes public headers, its own folder and the folders below it; backends
# see acre/backend.h and their own files alone; public headers only public headers. Tests and examples are free.
set -u
SRCDIR=$(cd "${SRCDIR:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check FOLDER: every include that the rule forbids, `FILE includes HEADER`.
check()
{
    ( cd "$1" && find core io tools backends include -name '*.[ch]' 2> /dev/null | sort |
        xargs grep -H '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null ) |
        awk '
BEGIN {
    split("base device memory lattice field halo program interop tensor", core, " ")
    for (i in core) floor["core/" core[i]] = i + 0
    floor["io"] = 10
    floor["tools"] = 11
}
# The folder that has a floor: core/NAME, io, tools, or the first two parts of anything else.
function place(path,  part)
{
    split(path, part, "/")
    return part[1] == "io" || part[1] == "tools" ? part[1] : part[1] "/" part[2]
}
{
    file = $0
    sub(/:.*/, "", file)
    header = $0
    sub(/^[^"]*"/, "", header)
    sub(/".*/, "", header)
    from = place(file)
    to = place(header)
    if (header ~ /(^|\/)\.\.?(\/|$)/ || header !~ /\//)
        good = 0
    else if (from ~ /^backends\//)
        good = header == "acre/backend.h" || to == from
    else if (from ~ /^include\//)
        good = header ~ /^acre\/[a-z_]+\.h$/
    else if (header ~ /^acre\/[a-z_]+\.h$/)
        good = 1
    else
        good = (from in floor) && (to in floor) && floor[to] <= floor[from]
    if (!good)
        print file " includes " header
}'
}

plant() # FILE HEADER
{
    mkdir -p "$work/$(dirname "$1")"
    printf '#include "%s"\n' "$2" >> "$work/$1"
}
plant core/base/up.c core/memory/array.h
plant core/base/aside.c fail.h
plant core/base/dots.c core/base/../field/field.h
plant core/field/odd.c core/unknown/x.h
plant core/tensor/up.h io/file.h
plant io/up.c tools/acre/info.h
plant backends/host/host.c core/base/fail.h
plant backends/host/other.c backends/gpu/x.h
plant include/acre/x.h core/base/fail.h
sort > "$work/expected" << 'END'
backends/host/host.c includes core/base/fail.h
backends/host/other.c includes backends/gpu/x.h
core/base/aside.c includes fail.h
core/base/dots.c includes core/base/../field/field.h
core/base/up.c includes core/memory/array.h
core/field/odd.c includes core/unknown/x.h
core/tensor/up.h includes io/file.h
include/acre/x.h includes core/base/fail.h
io/up.c includes tools/acre/info.h
END
plant core/program/fine.c core/program/program.h
plant core/program/fine.c core/halo/halo.h
plant core/program/fine.c acre/field.h
plant io/fine.c core/tensor/tensor.h
plant tools/acre/fine.c io/file.h
plant backends/host/fine.c acre/backend.h
plant backends/host/fine.c backends/host/queue.h
check "$work" | sort > "$work/found"
cmp -s "$work/expected" "$work/found" && echo "ok floors self-test" ||
    {
        diff "$work/expected" "$work/found"
        echo "not ok floors self-test: finds something else than what was planted"
    }

found=$(check "$SRCDIR")
[ -z "$found" ] && echo "ok floors" || printf '%s\n' "$found" | sed 's/^/not ok floors: /'
