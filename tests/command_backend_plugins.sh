#!/bin/sh
# Plugins that can't be used: each is passed over with a reason that `acre info` shows, and an error of exit code 4
# that lists the choices when it is asked for by name.
# shellcheck source=/dev/null disable=SC2154
. "${SRCDIR:-.}/tests/tools/command.lib"
unset ACRE_PLUGIN_PATH ACRE_DEVICES

"$acre" demo --lattice 4x4x4x4 --file "$work/links" --keep > /dev/null 2>&1 ||
    not_ok "plugins" "acre demo makes no file to measure"

# build FOLDER NAME [FLAG...]: acre_NAME.so in a folder of its own.
build()
{
    folder=$work/$1 name=$2
    shift 2
    mkdir -p "$folder"
    $CC -std=c11 -fPIC -shared -fvisibility=hidden -I "$SRCDIR/include" "$@" \
        "$SRCDIR/tests/tools/plugin_fault.c" -o "$folder/acre_$name.so" 2> "$work/log" && return
    cat "$work/log"
    not_ok "plugins" "acre_$name.so can't be built"
}

# refused NAME REASON: the plugin `fault` in the folder of that name has this reason: shown by `acre info`, which
# else goes on, and by the errors of both commands when it is asked for.
refused()
{
    ACRE_PLUGIN_PATH=$work/$1
    export ACRE_PLUGIN_PATH
    run "$acre" info
    why=
    [ "$code" -eq 0 ] || why="not asked for it fails: exit code $code, $(cat "$work/err")"
    grep -q "^  .*/acre_fault.so: .*$2" "$work/out" || why="$why acre info does not show '$2'"
    run "$acre" info --json
    grep -q "\"plugins_not_in_use\": \[{\"file\": \"[^\"]*/acre_fault.so\", \"name\": \"fault\", \"reason\": \".*$2" \
        "$work/out" || why="$why nor does its JSON: $(cat "$work/out")"
    run env ACRE_BACKEND=fault "$acre" info
    why=$why$(fault_of 4 "acre_fault.so is not in use: .*$2" 'the choices are auto and host (')
    run env ACRE_BACKEND=fault "$acre" plaquette "$work/links"
    why=$why$(fault_of 4 "acre_fault.so is not in use: .*$2" 'the choices are auto and host (')
    run env ACRE_DEVICES=fault:0 "$acre" plaquette "$work/links"
    why=$why$(fault_of 4 "acre_fault.so is not in use: .*$2" 'the choices are host (')
    run env ACRE_BACKEND=fault,host "$acre" plaquette "$work/links"
    [ "$code" -eq 0 ] || why="$why no way on to the host: exit code $code"
    grep -q "acre: warning: .*acre_fault.so is not in use: .*$2" "$work/err" || why="$why or without a word"
    verdict "plugins: $1" "$why"
    unset ACRE_PLUGIN_PATH
}

build abi fault -DABI=999
refused abi 'backend has ABI 999, this library has [0-9]'
build size fault -DSIZE=16
refused size 'table has 16 bytes, too few'
build short fault '-DSIZE=offsetof(acre_backend,queue_destroy)'
refused short 'lacks the required slot queue_destroy'
build slot fault -DNO_SLOT
refused slot 'lacks the required slot queue_destroy'
build pair fault -DHALF_PAIR
refused pair 'lacks the slot unmap, which goes with map'
build entry fault -DNO_ENTRY
refused entry 'it has no function acre_backend_entry'
build table fault -DNO_TABLE
refused table 'acre_backend_entry hands out no table'
build named fault '-DNAMED="other"'
refused named 'its backend is named other, and its file for fault'
build badname fault '-DNAMED="Bad Name"'
refused badname 'name .*Bad Name.* is not 1 to 31'
mkdir "$work/text" && echo 'this is a text' > "$work/text/acre_fault.so"
refused text "it can't be loaded: "
mkdir "$work/empty" && : > "$work/empty/acre_fault.so"
refused empty "it can't be loaded: "
mkdir -p "$work/folder/acre_fault.so"
refused folder 'not a file'

# A library that is missing, and a function that no library has.
echo 'int acre_test_helper(void); int acre_test_helper(void) { return 0; }' > "$work/helper.c"
mkdir -p "$work/library"
$CC -shared -fPIC "$work/helper.c" -o "$work/library/libacre_test_helper.so"
build library fault -Wl,--no-as-needed -L"$work/library" -lacre_test_helper
rm "$work/library/libacre_test_helper.so"
refused library "it can't be loaded: libacre_test_helper.so"
build unresolved fault -DUNRESOLVED
refused unresolved "it can't be loaded: .*acre_function_that_nobody_has"

# Plugins that load, but can't serve: they are backends with a reason.
served()
{
    ACRE_PLUGIN_PATH=$work/$1
    export ACRE_PLUGIN_PATH
    run "$acre" info
    why=
    [ "$code" -eq 0 ] || why="not asked for it fails: exit code $code, $(cat "$work/err")"
    grep -q "^  fault  *a plugin for tests; $2" "$work/out" || why="$why acre info does not show '$2'"
    run env ACRE_BACKEND=fault "$acre" info
    why=$why$(fault_of 4 "$3")
    run env ACRE_BACKEND=fault "$acre" plaquette "$work/links"
    why=$why$(fault_of 4 "$3")
    verdict "plugins: $1" "$why"
    unset ACRE_PLUGIN_PATH
}
build start fault -DNO_START
served start '0 devices: .*driver 1.2 is too old' "can't serve: .*driver 1.2 is too old; the choices are"
build device fault -DNO_DEVICE
served device '0 devices: no card is plugged in' "can't serve: no card is plugged in; the choices are"
build open fault -DNO_OPEN
served open '1 device' 'device 0 is lost'
build memory fault -DNO_MEMORY_SLOT
served memory '1 device' 'lacks the required slot memory_alloc'

# One that works, beside others; the first of a name wins; relative folders are not looked into.
build good fault
build again fault
run env ACRE_PLUGIN_PATH="$work/good" ACRE_BACKEND=fault "$acre" plaquette --json "$work/links"
first=$(value plaquette)
run "$acre" plaquette --json "$work/links"
why=
[ -n "$first" ] && [ "$first" = "$(value plaquette)" ] || why="the plaquette is '$first', not $(value plaquette)"
verdict "plugins: a good one" "$why"
run env ACRE_PLUGIN_PATH="$work/abi:$work/good:$work/again" ACRE_BACKEND=fault "$acre" info
why=
[ "$code" -eq 0 ] || why="exit code $code: $(cat "$work/err")"
grep -q "^    plugin $work/good/acre_fault.so" "$work/out" || why="$why it is not the first good one"
grep -q "^  $work/abi/acre_fault.so: backend has ABI" "$work/out" || why="$why nothing of the one before"
grep -q "^  $work/again/acre_fault.so: there is a backend named fault already: $work/good" "$work/out" ||
    why="$why nothing of the one after"
verdict "plugins: the first good one wins" "$why"
build host host '-DNAMED="host"'
run env ACRE_PLUGIN_PATH="$work/host" "$acre" info
why=
grep -q "^  $work/host/acre_host.so: there is a backend named host already" "$work/out" || why="nothing said"
grep -q '^    host:0 .*the host' "$work/out" || why="$why the host is not the library's own"
verdict "plugins: none takes the host's place" "$why"
code=0
(cd "$work/good" && ACRE_PLUGIN_PATH=.:: ACRE_BACKEND=fault "$acre" info) > "$work/out" 2> "$work/err" || code=$?
why=$(fault_of 4 'no backend named fault')
[ "$(grep -c 'not an absolute folder' "$work/out")" -eq 3 ] || why="$why it does not say why not"
verdict "plugins: never from the current folder" "$why"
run env ACRE_PLUGIN_PATH="$work/nosuch" "$acre" info
why=
grep -q "^  $work/nosuch: the folder can't be read: No such file" "$work/out" || why="nothing said"
verdict "plugins: a missing folder" "$why"

# Where a card is: on a machine of two NUMA nodes with a card at the second, as hwloc is told.
for pci in 0000:3b:00.0 0000:77:00.0; do
    card=card$(echo "$pci" | tr -d :) # colons stand between folders
    build "$card" fault "-DPCI=\"$pci\""
    run env HWLOC_XMLFILE="$SRCDIR/tests/tools/two_nodes.xml" ACRE_PLUGIN_PATH="$work/$card" "$acre" info
    why=
    grep -q "at PCI $pci" "$work/out" || why="no '$pci'"
    case $pci in
    *3b*) grep -A 2 'fault:0' "$work/out" | grep -q 'near NUMA node 1, processors 1' || why="$why no node" ;;
    *) ! grep -A 2 'fault:0' "$work/out" | grep -q 'NUMA' || why="$why a node for a card that is nowhere" ;;
    esac
    verdict "plugins: a card at $pci" "$why"
done
