#!/bin/sh
# Backends, devices and variables that can't be had: exit code 4 and one line that says why, from `acre info` and
# from `acre plaquette`.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"
unset ACRE_PLUGIN_PATH ACRE_DEVICES ACRE_HOST_DEVICES

"$acre" demo --lattice 4x4x4x4 --file "$work/links" --keep > /dev/null 2>&1 ||
    not_ok "backend errors" "acre demo makes no file to measure"

# fails_both NAME "PATTERN" VARIABLE=VALUE...
fails_both()
{
    name=$1 pattern=$2
    shift 2
    run env "$@" "$acre" info
    why=$(fault_of 4 "$pattern")
    grep -q '^  none: ' "$work/out" || why="$why acre info does not go on"
    run env "$@" "$acre" plaquette "$work/links"
    why=$why$(fault_of 4 "$pattern")
    [ ! -s "$work/out" ] || why="$why acre plaquette prints something"
    verdict "backend errors: $name" "$why"
}

long=$(head -c 10000 /dev/zero | tr '\0' x)
choices='; the choices are auto and host (1 device)'
fails_both "unknown" "no backend named nosuch$choices" ACRE_BACKEND=nosuch
fails_both "blanks and capitals" "ACRE_BACKEND is \" CUDA \": .*lower-case.*$choices" 'ACRE_BACKEND= CUDA '
fails_both "a semicolon" "ACRE_BACKEND is \"cuda;rm\": .*lower-case.*$choices" 'ACRE_BACKEND=cuda;rm'
fails_both "10,000 characters" "ACRE_BACKEND is \"xxx*\.\.\.\": too long.*$choices" "ACRE_BACKEND=$long"
fails_both "a control character" "ACRE_BACKEND is \"a?b\"" "ACRE_BACKEND=$(printf 'a\033b')"
fails_both "a list of nothing" "name in the list is empty.*$choices" ACRE_BACKEND=,
fails_both "unknown ones only" "no backend named nosuch; there is no backend named nor$choices" \
    ACRE_BACKEND=nosuch,nor ACRE_LOG=error

fails_both "a device too far" 'no device host:9: backend host has 1 device; the choices are host:0' ACRE_DEVICES=host:9
fails_both "a device of no backend" 'no backend named opencl; the choices are host (1 device)' ACRE_DEVICES=opencl:9:9
fails_both "a platform" 'no device host:0:0: backend host numbers its 1 device without' ACRE_DEVICES=host:0:0
fails_both "no index" 'ACRE_DEVICES is "host": "host" is no device.*; the choices are host:0' ACRE_DEVICES=host
fails_both "a device twice" '"host:0" names a device that the list has already' ACRE_DEVICES=host:0,host:0
fails_both "devices of 10,000 characters" 'ACRE_DEVICES is "xxx*\.\.\.": too long' "ACRE_DEVICES=$long"
fails_both "devices against the backend" '"host:0" does not go with ACRE_BACKEND=cuda,hip' \
    ACRE_BACKEND=cuda,hip ACRE_DEVICES=host:0
fails_both "a simulated device too far" 'no device host:3: backend host has 3 devices; the choices are host:0 to host:2' \
    ACRE_HOST_DEVICES=3 ACRE_DEVICES=host:3

fails_both "ACRE_HOST_DEVICES" 'ACRE_HOST_DEVICES is "65": too large; it takes 0 to 64' ACRE_HOST_DEVICES=65
fails_both "ACRE_HOST_MEMORY" 'ACRE_HOST_MEMORY is "12X": .*it takes a size' ACRE_HOST_MEMORY=12X
fails_both "ACRE_HOST_PEER" 'ACRE_HOST_PEER is "no": .*it takes 0 or 1' ACRE_HOST_PEER=no
fails_both "ACRE_HOST_DELAY" 'ACRE_HOST_DELAY is "9-3": .*it takes microseconds' ACRE_HOST_DELAY=9-3
fails_both "ACRE_LOG" 'ACRE_LOG is "loud": .*it takes error, warning' ACRE_LOG=loud

# What can be had.
run "$acre" plaquette --json "$work/links"
plain=$(value plaquette)
# serves NAME DEVICES VARIABLE=VALUE...: the same plaquette, on these devices.
serves()
{
    name=$1 devices=$2
    shift 2
    run env "$@" "$acre" plaquette --json "$work/links"
    why=
    [ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
    [ -n "$plain" ] && [ "$(value plaquette)" = "$plain" ] || why="$why plaquette $(value plaquette), not $plain"
    [ "$(value devices)" = "[$devices]" ] || why="$why devices $(value devices)"
    verdict "backends: $name" "$why"
}
serves "simulated devices" "host:0, host:1, host:2" ACRE_HOST_DEVICES=3
serves "with delays and without peers" "host:0, host:1" ACRE_HOST_DEVICES=2 ACRE_HOST_DELAY=0-200 ACRE_HOST_PEER=0
serves "in another order" "host:2, host:0" ACRE_HOST_DEVICES=3 ACRE_DEVICES=host:2,host:0
serves "all of a backend" "host:0, host:1" ACRE_HOST_DEVICES=2 'ACRE_DEVICES=host:*'
serves "by local rank" "host:1" ACRE_HOST_DEVICES=3 OMPI_COMM_WORLD_LOCAL_RANK=4 OMPI_COMM_WORLD_LOCAL_SIZE=6
serves "of two backends" "shadow:1, host:0" ACRE_DEVICES=shadow:1,host:0

# A machine of two NUMA nodes, as hwloc is told: devices are spread over them.
run env HWLOC_SYNTHETIC='node:2 core:1 pu:1' ACRE_HOST_DEVICES=2 "$acre" info
why=
for text in 'near NUMA node 0, processors 0, its threads are bound there' \
    'near NUMA node 1, processors 1, its threads are bound there'; do
    grep -q "$text" "$work/out" || why="$why no '$text'"
done
verdict "backends: near NUMA nodes" "$why"
