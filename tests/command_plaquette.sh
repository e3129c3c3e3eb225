#!/bin/sh
# acre plaquette on published files: values, checks, and the shape of what is printed.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"

# measures NAME FILE CODE "KEY=VALUE~TOLERANCE or KEY=TEXT"...: measure a published file.
measures()
{
    name="plaquette: $1" file=$2 wanted_code=$3
    shift 3
    have_data "$file" "$name" || return 0
    # shellcheck disable=SC2086 # options are words
    run "$acre" plaquette --json ${options-} "$data/$file"
    why=
    [ "$code" -eq "$wanted_code" ] || why="exit code $code: $(cat "$work/err")"
    for pair; do
        key=${pair%%=*} wanted=${pair#*=}
        found=$(value "$key")
        case $wanted in
        *~*) near "$found" "${wanted%~*}" "${wanted#*~}" || why="$why $key is $found instead of $wanted;" ;;
        *) [ "$found" = "$wanted" ] || why="$why $key is '$found' instead of '$wanted';" ;;
        esac
    done
    verdict "$name" "$why"
}

field="plaquette=0.5948501589471508~1e-14 plaquette_spatial=0.5982250520253910~1e-14
    plaquette_temporal=0.5914752658689106~1e-14 link_trace=0.64675873741896339~1e-14"
# shellcheck disable=SC2086 # pairs are words
{
    measures "lat.sample.l4444" lat.sample.l4444 0 $field checksum=ok storage=native order=site-fast \
        sites=checkerboard precision=double backend=host "devices=[host:0]" "lattice=[4, 4, 4, 4]"
    measures "lat.sample.l4444.ildg" lat.sample.l4444.ildg 0 $field format=ILDG
    measures "lat.sample.l4444.scidac" lat.sample.l4444.scidac 0 $field format=SciDAC
    options="--storage half" measures "half storage" lat.sample.l4444 0 \
        plaquette=0.5948479756104693~1e-15 storage=half
    options="--precision=single" measures "single precision" lat.sample.l4444 0 \
        plaquette=0.5948501589471508~1e-6 precision=single
    options="--precision=single --storage=half" measures "single precision, half storage" lat.sample.l4444 0 \
        plaquette=0.5948479756104693~1e-6 precision=single storage=half
    options="--sites lexicographic --order site-slow" measures "sites and order are told" lat.sample.l4444 0 \
        $field sites=lexicographic order=site-slow
    # Their owners print sums of three traces.
    measures "lat.sample.l4448" lat.sample.l4448 0 "format=MILC v5" \
        plaquette_spatial=0.5745827602658187~1e-14 plaquette_temporal=0.563528688472203~1e-14 \
        link_trace=0.069216590060585517~1e-14 checksum=ok "lattice=[4, 4, 4, 8]"
    measures "lat.sample.l4448.foreign" lat.sample.l4448.foreign 0 checksum=absent format=ILDG
    measures "lat.sample.inst" lat.sample.inst 0 plaquette_spatial=0.9910092707577594~1e-14 \
        plaquette_temporal=0.9910092707577594~1e-14 "format=MILC v1-4" checksum=absent
    measures "t_nersc.cfg" t_nersc.cfg 0 plaquette=0.0382422893~1e-9 checksum=ok checksum_file=717938df \
        checksum_data=717938df plaquette_check=ok link_trace_check=ok link_trace=0.4630322094~1e-9
    measures "t_dprec_ildg.lime" t_dprec_ildg.lime 0 plaquette=0.0382422893~1e-9
    measures "unity.lime" unity.lime 0 plaquette=1 plaquette_spatial=1 plaquette_temporal=1 link_trace=1
    options="--storage half --precision single" measures "unity.lime, half, single" unity.lime 0 plaquette=1
}

if have_data lat.sample.l4444 "plaquette: JSON keys in order"; then
    run "$acre" plaquette --json "$data/lat.sample.l4444" "$data/lat.sample.inst"
    keys() { sed -n "$1s/\"\([a-z_]*\)\": /\n@\1\n/gp" "$work/out" | sed -n 's/^@//p' | tr '\n' ' '; }
    common="file format lattice checksum plaquette plaquette_spatial plaquette_temporal link_trace storage order \
sites precision backend devices plaquette_check link_trace_check "
    why=
    [ "$(keys 1)" = "${common}checksum_file checksum_data " ] || why="the first line has $(keys 1)"
    [ "$(keys 2)" = "$common" ] || why="$why the second line has $(keys 2)"
    [ "$(wc -l < "$work/out")" -eq 2 ] || why="$why not two lines"
    grep -q '"plaquette": 0\.[0-9]\{16,17\},' "$work/out" || why="$why fewer than 17 digits"
    verdict "plaquette: JSON keys in order" "$why"
fi

name="plaquette: checksum mismatch"
if have_data lat.sample.5p7 "$name"; then
    run "$acre" plaquette --json "$data/lat.sample.5p7"
    why=$(fault_of 1 "lat.sample.5p7: checksum mismatch: the file says $(value checksum_file), its data give \
$(value checksum_data)")
    [ "$(value checksum)" = mismatch ] || why="$why checksum is $(value checksum)"
    [ "$(value checksum_file)" != "$(value checksum_data)" ] || why="$why both are $(value checksum_file)"
    near "$(value plaquette)" 0.5 0.2 || why="$why plaquette is $(value plaquette)"
    verdict "$name" "$why"
    run "$acre" plaquette "$data/lat.sample.5p7"
    why=$(fault_of 1 'checksum mismatch')
    grep -q '^  plaquette  *0\.[0-9]\{15,\}$' "$work/out" || why="$why no plaquette is printed"
    grep -q 'checksum mismatch' "$work/out" || why="$why the text does not say it"
    verdict "$name, as text" "$why"

    run "$acre" plaquette --json "$data/lat.sample.5p7" "$work/none" "$data/lat.sample.inst"
    why=
    [ "$code" -eq 3 ] || why="exit code $code instead of 3"
    [ "$(wc -l < "$work/out")" -eq 2 ] || why="$why $(wc -l < "$work/out") results instead of 2"
    [ "$(wc -l < "$work/err")" -eq 2 ] || why="$why $(wc -l < "$work/err") complaints instead of 2"
    verdict "plaquette: several files, the highest code wins" "$why"
fi

# Files that acre makes itself.
run "$acre" demo --lattice 4x2x2x3 --file "$work/odd.nersc"
[ "$code" -eq 0 ] || not_ok "plaquette: make a file" "exit code $code: $(cat "$work/err")"
run "$acre" plaquette --json "$work/odd.nersc"
why=$([ "$code" -eq 0 ] || cat "$work/err")
[ "$(value sites)" = lexicographic ] || why="$why sites are $(value sites)"
verdict "plaquette: odd extents are lexicographic" "$why"
fails "plaquette: checkerboard on odd extents" 2 "odd.nersc: .*4x2x2x3.*checkerboard" \
    "$acre" plaquette --sites checkerboard "$work/odd.nersc"

mismatch() # NAME KEY: a header that says something else
{
    sed "1,/END_HEADER/s/^$2 = .*/$2 = 0.25/" "$work/odd.nersc" > "$work/other.nersc"
    run "$acre" plaquette --storage half --json "$work/other.nersc"
    why=$(fault_of 1 "$1 mismatch: the file says 0.25, its links give 0\.[0-9]*")
    [ "$(value "$3")" = mismatch ] || why="$why $3 is $(value "$3")"
    verdict "plaquette: $1 mismatch" "$why"
}
mismatch "plaquette" PLAQUETTE plaquette_check
mismatch "link trace" LINK_TRACE link_trace_check

# A link that is no number: 8 bytes of ones are a NaN.
size=$(wc -c < "$work/odd.nersc")
cp "$work/odd.nersc" "$work/nan.nersc"
printf '\377\377\377\377\377\377\377\377' | dd of="$work/nan.nersc" bs=1 seek=$((size - 144)) conv=notrunc 2>/dev/null
sed -i '1,/END_HEADER/{/^CHECKSUM/d;/^PLAQUETTE/d;/^LINK_TRACE/d}' "$work/nan.nersc"
run "$acre" plaquette --json "$work/nan.nersc"
why=$(fault_of 1 'not finite')
[ "$(value plaquette)" = null ] || why="$why plaquette is $(value plaquette)"
verdict "plaquette: not finite is a failed check" "$why"

cp "$work/odd.nersc" "$work/$(printf 'q"\\ \303\244\377.nersc')"
run "$acre" plaquette --json "$work/$(printf 'q"\\ \303\244\377.nersc')"
verdict "plaquette: any file name in JSON" "$([ "$code" -eq 0 ] || echo "exit code $code")$(
    grep -F -q '/q\"\\ \u00e4\ufffd.nersc"' "$work/out" || cat "$work/out")"
