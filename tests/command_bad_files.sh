#!/bin/sh
# Files that can't be read: exit 3 and one line that says why, nothing printed.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"

bad() # NAME FILE PATTERN
{
    fails "bad file: $1" 3 "$3" "$acre" plaquette --json "$2"
    grep -q -F "$2" "$work/err" || not_ok "bad file: $1" "the line does not name the file"
}

bad "missing" "$work/none" "No such file"
bad "a directory" "$work" "directory\|regular"
mkfifo "$work/fifo"
bad "a FIFO" "$work/fifo" "regular"
: > "$work/empty"
bad "empty" "$work/empty" "empty\|0 bytes\|not a gauge file"
echo "This is a letter, not a lattice." > "$work/letter"
bad "something else" "$work/letter" "not a gauge file"
echo > "$work/locked"
chmod 0 "$work/locked"
chmod a+x "$work"
if [ "$(id -u)" -ne 0 ]; then
    bad "unreadable" "$work/locked" "denied"
elif setpriv --reuid=65534 --clear-groups "$acre" --version > /dev/null 2>&1; then
    fails "bad file: unreadable" 3 "locked: .*denied" \
        setpriv --reuid=65534 --clear-groups "$acre" plaquette "$work/locked"
else
    skip "bad file: unreadable" "root may read everything, and can't become somebody else here"
fi

# NERSC: one made here, with its header changed.
run "$acre" demo --lattice 4x4x4x4 --file "$work/good.nersc"
[ "$code" -eq 0 ] || not_ok "bad file: make a file" "exit code $code: $(cat "$work/err")"
size=$(wc -c < "$work/good.nersc")
header() { sed "1,/END_HEADER/$1" "$work/good.nersc" > "$work/changed.nersc"; }
for extent in -4 0 -9223372036854775808 4294967300 9223372036854775807 99999999999999999999 5 four ''; do
    header "s/^DIMENSION_2 = .*/DIMENSION_2 = $extent/"
    bad "NERSC, extent '$extent'" "$work/changed.nersc" "."
done
header "s/^DIMENSION_[1-4] = .*/DIMENSION_1 = 65536/"
bad "NERSC, extents missing" "$work/changed.nersc" "DIMENSION"
header "s/^\(DIMENSION_[1-4]\) = .*/\1 = 2000000000/"
bad "NERSC, absurd extents" "$work/changed.nersc" "2000000000"
header "s/^DATATYPE = .*/DATATYPE = 4D_SU3_GAUGE/"
bad "NERSC, two rows announced" "$work/changed.nersc" "98304.*147456\|147456.*98304"
header "s/^DATATYPE = .*/DATATYPE = 4D_SU2_GAUGE_2x2/"
bad "NERSC, SU(2) announced" "$work/changed.nersc" "SU(2)\|65536"
header "s/^DATATYPE = .*/DATATYPE = nothing/"
bad "NERSC, unknown data type" "$work/changed.nersc" "nothing"
header "s/^FLOATING_POINT = .*/FLOATING_POINT = IEEE128/"
bad "NERSC, unknown precision" "$work/changed.nersc" "IEEE128"
header "{/END_HEADER/d}"
bad "NERSC, header without end" "$work/changed.nersc" "END_HEADER"
head -c $((size - 1)) "$work/good.nersc" > "$work/changed.nersc"
bad "NERSC, a byte short" "$work/changed.nersc" "147456.*147455\|147455.*147456"
{ cat "$work/good.nersc"; echo; } > "$work/changed.nersc"
bad "NERSC, a byte too many" "$work/changed.nersc" "147456.*147457\|147457.*147456"
head -c 40 "$work/good.nersc" > "$work/changed.nersc"
bad "NERSC, cut in the header" "$work/changed.nersc" "END_HEADER"
head -c $((size - 147456 + 65536)) "$work/good.nersc" > "$work/changed.nersc"
bad "NERSC, SU(2) data announced as SU(3)" "$work/changed.nersc" "147456.*65536\|65536.*147456"

# Published files with bytes changed: patch FILE OFFSET BYTES (for printf).
patch()
{
    cp "$data/$1" "$work/changed"
    chmod u+w "$work/changed"
    # shellcheck disable=SC2059 # the bytes are a format
    printf "$3" | dd of="$work/changed" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
if have_data lat.sample.l4444 "bad file: MILC"; then
    patch lat.sample.l4444 0 '\001\002\003\004'
    bad "MILC, wrong magic" "$work/changed" "not a gauge file"
    patch lat.sample.l4444 4 '\377\377\377\377'
    bad "MILC, negative extent" "$work/changed" "-1"
    patch lat.sample.l4444 4 '\377\377\377\177\377\377\377\177\377\377\377\177\377\377\377\177'
    bad "MILC, absurd extents" "$work/changed" "2147483647"
    patch lat.sample.l4444 84 '\001'
    bad "MILC, another site order" "$work/changed" "order"
    head -c 50000 "$data/lat.sample.l4444" > "$work/changed"
    bad "MILC, truncated" "$work/changed" "73728"
    head -c 20 "$data/lat.sample.l4444" > "$work/changed"
    bad "MILC, truncated header" "$work/changed" "."
fi
if have_data lat.sample.l4444.ildg "bad file: ILDG"; then
    head -c 60000 "$data/lat.sample.l4444.ildg" > "$work/changed"
    bad "ILDG, truncated" "$work/changed" "."
    patch lat.sample.l4444.ildg 8 '\177\377\377\377\377\377\377\377'
    bad "ILDG, absurd record length" "$work/changed" "."
    sed 's/<lx>4/<lx>5/' "$data/lat.sample.l4444.ildg" > "$work/changed"
    bad "ILDG, extent that does not fit" "$work/changed" "5x4x4x4\|5"
fi
