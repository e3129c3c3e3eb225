/* core/device/vtable.h: is a backend's table of slots whole and of this library's kind? */
#ifndef ACRE_CORE_DEVICE_VTABLE_H
#define ACRE_CORE_DEVICE_VTABLE_H

#include "acre/backend.h"

/* Its ABI, size, name and the slots that every backend needs. Errors: ACRE_ERR_BACKEND, naming what is wrong.
 */
acre_status acre_vtable_check(const acre_backend *backend);

/* The first of the slots that devices with memory of their own need and the backend lacks; NULL: none. */
const char *acre_vtable_missing_memory_slot(const acre_backend *backend);

#endif
