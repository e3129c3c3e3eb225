/* core/device/process.h: was this process made by fork after a context was? Threads and drivers don't come
 * along into a child. */
#ifndef ACRE_CORE_DEVICE_PROCESS_H
#define ACRE_CORE_DEVICE_PROCESS_H

#include <stdatomic.h>

/* Goes up by one in each child. */
extern atomic_uint acre_process_generation;

/* Count forks from now on. */
void acre_process_watch(void);

#endif
