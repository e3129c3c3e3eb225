#!/bin/sh
# Run one suite of the test program, or one test script, and write a line a test to $WORK/NAME.results:
# `ok NAME`, `not ok NAME: why` or `skip NAME: why`. Usage: check-one.sh suite|script NAME
set -u
kind=$1
limit=${ACRE_CHECK_TIMEOUT:-600}
name=$(basename "$2" .sh)
log=$WORK/$name.log
results=$WORK/$name.results
TMPDIR=$WORK/$name.tmp
export TMPDIR
mkdir -p "$TMPDIR"

if [ "$kind" = suite ]; then
    # shellcheck disable=SC2086 # a wrapper such as valgrind comes with its options
    timeout -k 10 "$limit" ${WRAPPER-} "$BUILD/acre_tests" "$2" > "$log" 2>&1 < /dev/null
else
    timeout -k 10 "$limit" sh "$2" > "$log" 2>&1 < /dev/null
fi
status=$?

# A suite prints TAP, `ok 3 - file:case:test: message`, and its plan, `1..9`, at the end. A test that can't run
# prints `skip: why` and returns. A script prints its result lines itself.
awk -v kind="$kind" -v name="$name" -v status="$status" -v limit="$limit" '
function why()
{
    if (status == 124 || status == 137)
        return "ended by the time limit of " limit " s or killed"
    if (status > 128)
        return "ended by signal " (status - 128)
    return "exit status " status
}
kind == "suite" && /^skip[: ]/ { sub(/^skip:? */, ""); reason = $0; next }
kind == "suite" && /^(not )?ok [0-9]+ - / {
    verdict = /^not/ ? "not ok" : reason != "" ? "skip" : "ok"
    rest = substr($0, index($0, " - ") + 3)
    split(rest, part, ":")
    test = name "/" part[3]
    message = substr(rest, length(part[1] part[2] part[3]) + 5)
    sub(/.*\//, "", part[1])
    print verdict " " test (verdict == "skip" ? ": " reason : verdict == "ok" ? "" : ": " part[1] ": " message)
    lines++
    failed += verdict == "not ok"
    last = ", after " test
    reason = ""
    next
}
kind == "suite" && /^1\.\.[0-9]+$/ { complete = 1 }
kind == "script" && /^(ok|not ok|skip) / { print; lines++; failed += /^not/ }
END {
    if (kind == "suite" && !complete)
        print "not ok " name ": broke off" last ": " why()
    else if (status != 0 && !failed)
        print "not ok " name ": " why()
    else if (!lines)
        print "not ok " name ": printed no result"
}' "$log" > "$results"
rm -rf "$TMPDIR"

awk -v name="$name" '{ n[$1]++ } END {
    printf "  %-24s %d passed", name, n["ok"]
    if (n["not"]) printf ", %d FAILED", n["not"]
    if (n["skip"]) printf ", %d skipped", n["skip"]
    print ""
}' "$results"
exit 0
