dnl ACRE_COMPILER: a C11 compiler with GNU builtins, and the flags that keep arithmetic as written.
AC_DEFUN([ACRE_COMPILER], [
AC_REQUIRE([AC_PROG_CC])
AC_CHECK_TOOL([AR], [ar], [no])
AS_IF([test "$AR" = no], [AC_MSG_ERROR([no ar: install binutils])])
AC_CHECK_TOOL([OBJDUMP], [objdump], [])
AC_CHECK_TOOL([NM], [nm], [])

ACRE_CFLAGS="-std=c11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -ffp-contract=off"
AC_CACHE_CHECK([whether $CC takes C11, GNU builtins and -ffp-contract=off], [acre_cv_compiler], [
    acre_saved_cflags=$CFLAGS
    CFLAGS="$CFLAGS $ACRE_CFLAGS"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
        #include <stddef.h>
        _Static_assert(sizeof(size_t) == 8, "a 64-bit machine");
        int fits(size_t a, size_t b, size_t *c);
        int fits(size_t a, size_t b, size_t *c) { return !__builtin_mul_overflow(a, b, c); }
        ]])], [acre_cv_compiler=yes], [acre_cv_compiler=no])
    CFLAGS=$acre_saved_cflags
])
AS_IF([test "$acre_cv_compiler" = no],
      [AC_MSG_ERROR([$CC does not do: acre needs gcc or clang (C11, GNU builtins) for a 64-bit machine])])
AC_SUBST([ACRE_CFLAGS])
])
