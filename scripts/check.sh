#!/bin/sh
# Run the tests of a build and count them: check.sh [suites] [commands] [structure]. Each suite and each script
# is a process of its own, so that a crash ends one and is counted. The last line is the total.
set -u
: "${BUILD:=build}" "${SRCDIR:=.}"
BUILD=$(cd "$BUILD" && pwd)
SRCDIR=$(cd "$SRCDIR" && pwd)
ACRE_BIN=$BUILD/acre
WORK=$BUILD/check
# Waiting threads that spin would slow down everything else on a small machine.
: "${OMP_WAIT_POLICY:=passive}"
export BUILD SRCDIR ACRE_BIN WORK OMP_WAIT_POLICY
rm -rf "$WORK"
mkdir -p "$WORK"

# Sanitizers report into files, as a test may throw away what a command prints; any report is a failure.
reports=log_path=$WORK/sanitizer:exitcode=97
ASAN_OPTIONS=$reports${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=$reports:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
TSAN_OPTIONS=$reports${TSAN_OPTIONS:+:$TSAN_OPTIONS}
export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS

for kind; do
    case $kind in
    suites)
        "$BUILD/acre_tests" --list > "$WORK/suites" || {
            echo "$BUILD/acre_tests can't list its suites" >&2
            exit 1
        }
        sed 's/^/suite /' "$WORK/suites"
        ;;
    commands)
        find "$SRCDIR/tests" -name '*.sh' ! -name 'check_*' | sort | sed 's/^/script /'
        ;;
    structure)
        find "$SRCDIR/tests" -name 'check_*.sh' | sort | sed 's/^/script /'
        ;;
    *)
        echo "check.sh: unknown kind of test '$kind' (suites, commands, structure)" >&2
        exit 2
        ;;
    esac
done > "$WORK/jobs" || exit

xargs -P "${JOBS:-$(nproc)}" -L 1 sh "$SRCDIR/scripts/check-one.sh" < "$WORK/jobs"

for report in "$WORK"/sanitizer.*; do
    [ -e "$report" ] || continue
    # A test that tries whether a limit of address space can be set is no fault.
    ! grep -q 'ReserveShadowMemoryRange failed' "$report" || continue
    echo "not ok ${report##*/}: $(grep -m 1 -E 'SUMMARY|runtime error|ERROR|WARNING' "$report")"
done > "$WORK/reports.results"
find "$WORK" -name '*.results' | sort | xargs cat /dev/null > "$WORK/all"
grep '^skip ' "$WORK/all"
grep '^not ok ' "$WORK/all" && echo "(what they printed: $WORK/*.log and sanitizer.*)"
passed=$(grep -c '^ok ' "$WORK/all")
failed=$(grep -c '^not ok ' "$WORK/all")
skipped=$(grep -c '^skip ' "$WORK/all")
jobs=$(wc -l < "$WORK/jobs")
done=$(find "$WORK" -name '*.results' ! -name reports.results | wc -l)
if [ "$jobs" -eq 0 ] || [ "$done" -ne "$jobs" ]; then
    echo "not ok check: $done of $jobs suites and scripts left results"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
