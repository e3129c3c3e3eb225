#!/bin/sh
# The same digits in every order, site order and number of threads, for each storage and precision.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"

run "$acre" demo --lattice 8x4x4x6 --seed 7 --file "$work/made.nersc"
[ "$code" -eq 0 ] || not_ok "same bits: make a file" "exit code $code: $(cat "$work/err")"

numbers() { sed 's/.*"plaquette": \(.*\), "storage".*/\1/' "$work/out"; }

# same NAME FILE STORAGE PRECISION
same()
{
    first=
    why=
    for order in site-fast site-slow; do
        for sites in checkerboard lexicographic; do
            for threads in 1 2 3; do
                run env OMP_NUM_THREADS=$threads "$acre" plaquette --json --storage "$3" --precision "$4" \
                    --order $order --sites $sites "$2"
                found=$(numbers)
                : "${first:=$found}"
                [ "$code" -eq 0 ] || why="$why exit code $code: $(cat "$work/err")"
                [ "$found" = "$first" ] || why="$why $order, $sites, $threads threads: $found instead of $first;"
            done
        done
    done
    verdict "same bits: $1, $3, $4" "$why"
}
for storage in native half; do
    for precision in double single; do
        same "made" "$work/made.nersc" $storage $precision
    done
    for file in lat.sample.l4444 lat.sample.l4448; do
        ! have_data $file "same bits: $file, $storage, double" || same $file "$data/$file" $storage double
    done
done
