#!/bin/sh
# The command's help, version, usage errors and environment errors.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"

helps() # NAME PATTERN ARGUMENT...
{
    name=$1 pattern=$2
    shift 2
    run "$acre" "$@"
    why=
    [ "$code" -eq 0 ] || why="exit code $code"
    [ ! -s "$work/err" ] || why="$why it wrote to stderr"
    grep -q -e "$pattern" "$work/out" || why="$why its text has no '$pattern'"
    awk 'length > 112 { exit 1 }' "$work/out" || why="$why a line is longer than 112"
    verdict "$name" "$why"
}
helps "help" "plaquette" --help
helps "help: short" "demo" -h
helps "help: info" "--env" info --help
helps "help: plaquette" "--storage native|half" plaquette --help
helps "help: plaquette, after other options" "--sites" plaquette --json file --help
helps "help: demo" "--lattice XxYxZxT" demo --help
helps "version" "^acre [0-9]*\.[0-9]*\.[0-9]*$" --version

hint="see 'acre --help'"
fails "usage: nothing" 2 "$hint" "$acre"
fails "usage: unknown command" 2 "unknown command \"plaquete\".*$hint" "$acre" plaquete
fails "usage: unknown first option" 2 "unknown option \"--jsn\".*$hint" "$acre" --jsn
hint="see 'acre plaquette --help'"
fails "usage: no file" 2 "no file.*$hint" "$acre" plaquette --json
fails "usage: unknown option" 2 "unknown option --jsn;.*$hint" "$acre" plaquette --jsn x
fails "usage: unknown short option" 2 "unknown option -j;.*$hint" "$acre" plaquette -j x
fails "usage: not a choice" 2 "\"quarter\"; it takes native or half" "$acre" plaquette --storage=quarter x
fails "usage: empty choice" 2 "\"\"; it takes site-fast or site-slow" "$acre" plaquette --order= x
fails "usage: choice cut short" 2 "it takes checkerboard or lexicographic" "$acre" plaquette --sites check x
fails "usage: no value" 2 "needs a value: single or double" "$acre" plaquette x --precision
fails "usage: flag with a value" 2 "takes no value" "$acre" plaquette --json=yes x
fails "usage: info takes no operand" 2 "\"here\".*see 'acre info --help'" "$acre" info here
fails "usage: demo takes no operand" 2 "\"here\"" "$acre" demo here
fails "usage: one line whatever is given" 2 "unknown option --a?b c" "$acre" plaquette "$(printf -- '--a\033b\nc')"
for lattice in 8x8x8 8x8x8x8x8 8x8x8x0 8x8x8x-8 8x8x8x 8,8,8,8 8x8x8x9999999999 x; do
    fails "usage: demo --lattice '$lattice'" 2 "four extents" "$acre" demo --lattice "$lattice"
done
fails "usage: empty text" 2 "it takes XxYxZxT" "$acre" demo --lattice=
fails "usage: demo --seed" 2 "whole number" "$acre" demo --seed -1
fails "usage: demo --seed too large" 2 "whole number" "$acre" demo --seed 18446744073709551616
fails "usage: demo --spread" 2 "a number" "$acre" demo --spread nan
fails "input: after --, options are files" 3 "^acre: --json: " "$acre" plaquette -- --json

fails "environment: unknown backend" 4 "nosuch.*choices.*host" env ACRE_BACKEND=nosuch "$acre" plaquette x
fails "environment: list without any that serves" 4 "choices.*host" \
    env ACRE_BACKEND=nosuch,nothing ACRE_LOG=error "$acre" plaquette x
fails "environment: malformed ACRE_BACKEND" 4 "ACRE_BACKEND is \"host,,host\"" \
    env ACRE_BACKEND=host,,host "$acre" plaquette x
fails "environment: malformed ACRE_LOG" 4 "ACRE_LOG is \"loud\".*error, warning, info or debug" \
    env ACRE_LOG=loud "$acre" plaquette x
fails "environment: demo" 4 "ACRE_LOG" env ACRE_LOG=loud "$acre" demo
run env ACRE_BACKEND=host ACRE_LOG=error "$acre" info
verdict "environment: host by name" "$([ "$code" -eq 0 ] && [ ! -s "$work/err" ] || cat "$work/err")"
run env ACRE_BACKEND= ACRE_LOG= "$acre" info
verdict "environment: empty is the default" "$([ "$code" -eq 0 ] && [ ! -s "$work/err" ] || cat "$work/err")"

if [ -w /dev/full ]; then
    code=0
    "$acre" info > /dev/full 2> "$work/err" || code=$?
    verdict "output: a full disk is noticed" "$(fault_of 3 'standard output')"
else
    skip "output: a full disk is noticed" "there is no /dev/full"
fi

# docs/command.md knows every option, variable and exit code.
why=
for command in info plaquette demo; do
    for option in $("$acre" $command --help | sed -n 's/^  \(--[a-z]*\).*/\1/p'); do
        grep -q -e "$option" "$SRCDIR/docs/command.md" || why="$why it lacks $command $option;"
    done
done
for variable in $("$acre" info --env | sed -n 's/^  \(ACRE_[A-Z_]*\) = .*/\1/p'); do
    grep -q -e "^| \`$variable\` |" "$SRCDIR/docs/command.md" || why="$why it lacks $variable;"
done
verdict "docs/command.md is complete" "$why"
