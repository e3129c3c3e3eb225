#!/bin/sh
# acre demo: what it makes is the same for the same seed, is read back bit for bit, and leaves nothing behind.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

run "$acre" demo --lattice 4x4x4x6
why=
[ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
[ "$(grep -c '^  ok ' "$work/out")" -ge 8 ] || why="$why fewer than 8 checks"
grep -q '^all checks passed$' "$work/out" || why="$why it does not end well"
[ ! -s "$work/err" ] || why="$why it wrote to stderr"
[ -z "$(ls -A "$TMPDIR")" ] || why="$why it left $(ls -A "$TMPDIR")"
verdict "demo: runs and leaves nothing" "$why"

run "$acre" demo --lattice 4x2x3x4 --keep
verdict "demo: --keep keeps the file" "$([ "$code" -eq 0 ] && [ "$(find "$TMPDIR" -type f | wc -l)" -eq 1 ] ||
    echo "exit code $code, files: $(ls -A "$TMPDIR")")"

why=
for n in 1 2; do
    run env OMP_NUM_THREADS=$n "$acre" demo --lattice 4x4x2x6 --seed 5 --file "$work/$n.nersc"
    [ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
done
cmp "$work/1.nersc" "$work/2.nersc" >&2 || why="$why the files differ"
verdict "demo: the same seed gives the same file" "$why"
run "$acre" demo --lattice 4x4x2x6 --seed 6 --file "$work/3.nersc"
verdict "demo: another seed gives another file" "$(! cmp -s "$work/1.nersc" "$work/3.nersc" || echo the same)"

run "$acre" plaquette --json "$work/1.nersc"
why=
[ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
for key in checksum plaquette_check link_trace_check; do
    [ "$(value $key)" = ok ] || why="$why $key is $(value $key)"
done
[ "$(value plaquette)" = "$(sed -n '1,/END_HEADER/s/^PLAQUETTE = //p' "$work/1.nersc")" ] ||
    why="$why the header's plaquette has other digits"
verdict "demo: its file passes its own checks" "$why"

run "$acre" demo --spread 0 --lattice 2x2x2x2
verdict "demo: no spread is a unit configuration" \
    "$([ "$code" -eq 0 ] && grep -q 'plaquette 1 (spatial 1, temporal 1)' "$work/out" || cat "$work/out")"

run "$acre" demo --spread 1e308 --lattice 2x2x2x2
verdict "demo: links that are not unitary are noticed" "$(fault_of 1 'norm2')"

fails_here() # the writer must not leave anything behind either
{
    run "$acre" demo --lattice 2x2x2x2 --file "$1"
    verdict "demo: $2" "$(fault_of 3 "$1")"
}
fails_here "$work/none/x.nersc" "a folder that is not there"
mkdir "$work/folder"
fails_here "$work/folder" "a folder as the file"
run env TMPDIR="$work/none" "$acre" demo --lattice 2x2x2x2
verdict "demo: no temporary folder" "$(fault_of 3 "$work/none")"

example=$(dirname "$acre")/examples/plaquette
if [ -x "$example" ]; then
    run "$acre" plaquette --json "$work/1.nersc"
    wanted=$(value plaquette)
    run "$example" "$work/1.nersc"
    why=$([ "$code" -eq 0 ] || echo "exit code $code: $(cat "$work/err")")
    near "$(sed -n 's/^plaquette //p' "$work/out")" "$wanted" 1e-14 || why="$why $(cat "$work/out") is not $wanted"
    verdict "examples: plaquette" "$why"
    run "$example" "$work/none"
    verdict "examples: plaquette of nothing" "$([ "$code" -eq 1 ] || echo "exit code $code")"
else
    skip "examples: plaquette" "it is not built"
fi

# What README shows is what is printed.
cd "$work" || exit
run "$acre" demo --file eight.nersc
run "$acre" plaquette eight.nersc
sed -n '/^    eight\.nersc$/,/^$/s/^    //p' "$SRCDIR/README.md" > "$work/shown"
verdict "README: the command's output" "$(cmp "$work/shown" "$work/out" 2>&1)"
