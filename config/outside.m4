dnl ACRE_OUTSIDE: in a build folder outside the sources, a Makefile that includes the real one.
AC_DEFUN([ACRE_OUTSIDE], [
AC_CONFIG_COMMANDS([outside], [
    acre_sources=$(cd "$srcdir" && pwd -P)
    AS_IF([test "$acre_sources" != "$(pwd -P)"], [
        AS_ECHO(["include $acre_sources/Makefile"]) > Makefile
        AC_MSG_NOTICE([creating Makefile for the sources in $acre_sources])
    ])
])
])
