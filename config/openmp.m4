dnl ACRE_OPENMP: the flag for OpenMP; required.
AC_DEFUN([ACRE_OPENMP], [
AC_ARG_VAR([OPENMP_CFLAGS], [the compiler's OpenMP flag])
: "${OPENMP_CFLAGS=-fopenmp}"
AC_MSG_CHECKING([whether $CC links OpenMP with $OPENMP_CFLAGS])
acre_saved_cflags=$CFLAGS
CFLAGS="$CFLAGS $OPENMP_CFLAGS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <omp.h>]], [[return omp_get_max_threads() < 1;]])],
               [AC_MSG_RESULT([yes])],
               [AC_MSG_RESULT([no])
                AC_MSG_ERROR([no OpenMP: with clang install libomp-dev])])
CFLAGS=$acre_saved_cflags
])
