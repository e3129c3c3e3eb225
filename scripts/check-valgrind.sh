#!/bin/sh
# The Check suites under valgrind's memcheck: errors and definite leaks fail the suite.
set -u
WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite"
[ ! -f "$SRCDIR/config/valgrind.supp" ] || WRAPPER="$WRAPPER --suppressions=$SRCDIR/config/valgrind.supp"
: "${OMP_NUM_THREADS:=2}"
export WRAPPER OMP_NUM_THREADS
exec sh "$SRCDIR/scripts/check.sh" suites
