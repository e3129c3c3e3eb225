dnl ACRE_CHECK: the unit test library Check; only `make check` and its kind need it.
AC_DEFUN([ACRE_CHECK], [
ACRE_LIBRARY([CHECK], [check], [-lcheck -lsubunit -lrt -lm -pthread], [check.h],
             [return srunner_create(0) == 0])
AC_SUBST([have_CHECK])
])
