dnl ACRE_HWLOC: the machine's topology (hwloc 2); required.
AC_DEFUN([ACRE_HWLOC], [
ACRE_LIBRARY([HWLOC], [hwloc], [-lhwloc], [hwloc.h],
             [hwloc_topology_t topology; return hwloc_topology_init(&topology)])
AS_IF([test "$have_HWLOC" = no], [AC_MSG_ERROR([no hwloc: install libhwloc-dev (hwloc-devel)])])
])
