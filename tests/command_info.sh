#!/bin/sh
# acre info: what it shows, as text and as JSON, and with a backend that can't be had.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"

# Is the file one line of JSON? Strings are cut out, then brackets must pair, with values and commas between.
# Gives a reason, or nothing.
json_fault()
{
    [ "$(wc -l < "$1")" -eq 1 ] || { echo "not one line"; return; }
    sed 's/"\(\\.\|[^"\\]\)*"/s/g; s/s: /k/g' "$1" | awk '{
        t = $0
        gsub(/-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?|true|false|null/, "s", t)
        do {
            before = t
            gsub(/\{(ks(, ks)*)?\}|\[(s(, s)*)?\]/, "s", t)
        } while (t != before)
        if (t != "s") print "brackets, keys or commas do not fit: " substr(t, 1, 60)
    }'
}

run "$acre" info
why=
[ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
for text in '^acre [0-9]' '^backends$' '^  host ' 'host:0 .*worker' '^selected$' '^machine$' 'cores [1-9]' \
    'site-fast site-slow' 'native half' 'checkerboard lexicographic' 'Propagator  *288  *2304  *1152  *576' \
    'ACRE_BACKEND = auto (default)' 'ACRE_LOG = warning (default)'; do
    grep -q -e "$text" "$work/out" || why="$why no '$text'"
done
verdict "info: text" "$why"

run "$acre" info --json
why=$(json_fault "$work/out")
[ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
keys=$(sed 's/": /":\n/g' "$work/out" | sed -n 's/.*"\([a-z_]*\)":$/\1/p' | awk '!seen[$0]++' | tr '\n' ' ')
wanted="version backends name description priority devices hardware memory_bytes workers host_memory processor \
double pci numa_node cpus bound reason file plugins_not_in_use selected backend machine packages numa_nodes cores \
threads cache_bytes formats orders storages sites site_types components environment value default takes meaning "
[ "$keys" = "$wanted" ] || why="$why its keys are $keys"
verdict "info: JSON" "$why"

run env ACRE_BACKEND=auto "$acre" info --env
why=
[ "$code" -eq 0 ] || why="exit code $code"
grep -q '^ *ACRE_BACKEND = auto$' "$work/out" || why="$why no ACRE_BACKEND"
! grep -q '^machine' "$work/out" || why="$why it has more than the environment"
verdict "info: only the environment" "$why"
run "$acre" info --env --json
why=$(json_fault "$work/out")
[ "$(value value)" = null ] || why="$why an unset variable is not null"
verdict "info: only the environment, JSON" "$why"

run env ACRE_BACKEND=nosuch "$acre" info
why=$(fault_of 4 'nosuch')
grep -q '^  none: .*nosuch' "$work/out" || why="$why the text does not show it"
grep -q '^machine' "$work/out" || why="$why the rest is missing"
verdict "info: no such backend" "$why"
run env ACRE_BACKEND=nosuch "$acre" info --json
why=$(fault_of 4 'nosuch')$(json_fault "$work/out")
grep -q '"selected": {"error": ".*nosuch' "$work/out" || why="$why the object does not show it"
verdict "info: no such backend, JSON" "$why"
run env ACRE_LOG="$(printf 'q"\\\t\001\303\251\377')" "$acre" info --json --env
why=$(fault_of 4 'ACRE_LOG')$(json_fault "$work/out")
grep -F -q '"q\"\\\u0009\u0001\u00e9\ufffd"' "$work/out" || why="$why it is not escaped: $(cat "$work/out")"
verdict "info: JSON escapes" "$why"
