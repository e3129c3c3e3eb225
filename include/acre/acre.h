/* acre/acre.h: all of acre's public headers. */
#ifndef ACRE_ACRE_H
#define ACRE_ACRE_H

#include "acre/array.h"
#include "acre/context.h"
#include "acre/field.h"
#include "acre/format.h"
#include "acre/formula.h"
#include "acre/gauge.h"
#include "acre/group.h"
#include "acre/info.h"
#include "acre/lattice.h"
#include "acre/memory.h"
#include "acre/site_type.h"
#include "acre/status.h"

#endif
