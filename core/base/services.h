/* core/base/services.h: what the library lends backends. */
#ifndef ACRE_CORE_BASE_SERVICES_H
#define ACRE_CORE_BASE_SERVICES_H

#include "acre/backend.h"

extern const acre_backend_services acre_services;

#endif
