#!/bin/sh
# 200 damaged copies of each kind of file: whatever they hold, the command ends with 0, 1 or 3, soon, in bounded
# memory. Copies go to the command in batches; a batch that ends badly is taken apart to find the culprit.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
copies=${ACRE_TEST_COPIES:-200}
batch=20

# shellcheck disable=SC2086 # the compiler may come with options
$CC -O1 "$SRCDIR/tests/tools/corrupt.c" -o "$work/corrupt" >&2 || {
    not_ok "corruption" "tests/tools/corrupt.c does not compile"
    exit 1
}

# A sanitizer's shadow memory does not live under a limit of address space; it has a limit of its own.
limit=4194304
# shellcheck disable=SC3045 # dash and busybox have -v
(ulimit -v $limit && "$acre" --version) > /dev/null 2>&1 || limit=unlimited
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}hard_rss_limit_mb=4096
export ASAN_OPTIONS

# limited FILE...: measure files, within limits.
limited()
{
    code=0
    # shellcheck disable=SC3045
    (ulimit -v $limit && exec timeout -k 5 20 "$acre" plaquette --json "$@") > "$work/out" 2> "$work/err" || code=$?
}
is_fine() { [ "$code" -eq 0 ] || [ "$code" -eq 1 ] || [ "$code" -eq 3 ]; }

corrupt() # NAME FILE
{
    folder=$work/copies
    mkdir "$folder"
    "$work/corrupt" "$2" "$copies" 2026 "$folder" || not_ok "corruption: $1" "no copies"
    why=
    start=0
    while [ $start -lt "$copies" ]; do
        limited $(seq -f "$folder/%.0f" $start $((start + batch - 1)))
        if ! is_fine; then
            why="$why copies from $start on: exit code $code;"
            for file in $(seq -f "$folder/%.0f" $start $((start + batch - 1))); do
                limited "$file"
                is_fine || why="$why copy ${file##*/}: exit code $code: $(head -n 2 "$work/err" | tr '\n' ' ');"
            done
        elif grep -v -q '^acre: ' "$work/err"; then
            why="$why copies from $start on: $(grep -v '^acre: ' "$work/err" | head -n 1);"
        fi
        start=$((start + batch))
    done
    rm -rf "$folder"
    verdict "corruption: $1, $copies copies" "$why"
}

run "$acre" demo --lattice 2x3x4x2 --file "$work/made.nersc"
[ "$code" -eq 0 ] || not_ok "corruption: make a file" "exit code $code: $(cat "$work/err")"
corrupt "a NERSC file made here" "$work/made.nersc"
for file in lat.sample.5p7 lat.sample.inst lat.sample.l4444 lat.sample.l4444.ildg lat.sample.l4444.scidac \
    lat.sample.l4448 lat.sample.l4448.foreign t_dprec_ildg.lime t_nersc.cfg unity.lime; do
    ! have_data $file "corruption: $file" || corrupt $file "$data/$file"
done
