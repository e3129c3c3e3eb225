dnl ACRE_LIBRARY(VARIABLE, pkg-config module, libraries without pkg-config, header, call): sets
dnl VARIABLE_CFLAGS, VARIABLE_LIBS and have_VARIABLE (yes or no), the answer of a program that was linked.
AC_DEFUN([ACRE_LIBRARY], [
AC_REQUIRE([ACRE_PKG_CONFIG])
AC_ARG_VAR([$1_CFLAGS], [compiler flags for $2])
AC_ARG_VAR([$1_LIBS], [linker flags for $2])
AC_MSG_CHECKING([for $2])
AS_IF([test -n "$PKG_CONFIG" && $PKG_CONFIG --exists $2], [
    : "${$1_CFLAGS=$($PKG_CONFIG --cflags $2)}"
    : "${$1_LIBS=$($PKG_CONFIG --libs $2)}"
], [
    : "${$1_LIBS=$3}"
])
acre_saved_cflags=$CFLAGS
acre_saved_libs=$LIBS
CFLAGS="$CFLAGS $$1_CFLAGS"
LIBS="$$1_LIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <$4>]], [[$5;]])], [have_$1=yes], [have_$1=no])
CFLAGS=$acre_saved_cflags
LIBS=$acre_saved_libs
AC_MSG_RESULT([$have_$1])
])

dnl ACRE_PKG_CONFIG: where pkg-config is; empty when it is not there.
AC_DEFUN([ACRE_PKG_CONFIG], [
AC_ARG_VAR([PKG_CONFIG], [the pkg-config command])
AC_CHECK_TOOL([PKG_CONFIG], [pkg-config])
])
