#!/bin/sh
# The tests under the thread sanitizer: clang with libomp and its tool Archer, which tells the sanitizer what
# OpenMP orders (with gcc's libgomp it reports races that are none). Skipped where they can't be had.
set -u
skip()
{
    echo "skip check-tsan: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

CC='' sh "$SRCDIR/scripts/deps.sh" tsan || skip "clang or libomp is missing"
archer=$(clang -print-file-name=libarcher.so)
[ -e "$archer" ] || archer=$(find /usr/lib/llvm-* -name libarcher.so 2>/dev/null | head -n 1)
[ -e "$archer" ] || skip "libomp's libarcher.so is missing"

OMP_TOOL_LIBRARIES=$archer
TSAN_OPTIONS=ignore_noninstrumented_modules=1
: "${OMP_NUM_THREADS:=2}"
export OMP_TOOL_LIBRARIES TSAN_OPTIONS OMP_NUM_THREADS
exec "$MAKE" --no-print-directory BUILD="$BUILD/tsan" SANITIZE=thread CC=clang OPENMP_CFLAGS=-fopenmp \
    CHECKS="suites commands" check-run
