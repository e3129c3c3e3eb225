dnl ACRE_ZLIB: the CRC of gauge files; required.
AC_DEFUN([ACRE_ZLIB], [
ACRE_LIBRARY([ZLIB], [zlib], [-lz], [zlib.h], [return (int)crc32(0, Z_NULL, 0)])
AS_IF([test "$have_ZLIB" = no], [AC_MSG_ERROR([no zlib: install zlib1g-dev (zlib-devel)])])
])
