/* core/base/log.h: one line of log at a time, to stderr, as far as ACRE_LOG lets it through. */
#ifndef ACRE_CORE_BASE_LOG_H
#define ACRE_CORE_BASE_LOG_H

#include "acre/backend.h"

void acre_log(enum acre_log_level level, const char *format, ...) ACRE_PRINTF(2, 3);

/* Read ACRE_LOG (again). Errors: ACRE_ERR_ENVIRONMENT. */
acre_status acre_log_configure(void);

#endif
