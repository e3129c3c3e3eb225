/* io/headers.h: the readers of gauge file headers, one a format. */
#ifndef ACRE_IO_HEADERS_H
#define ACRE_IO_HEADERS_H

#include "io/gauge_file.h"

/* The readers of headers, by format: fill gauge->header and gauge->payload from gauge->file. Nothing of what
 * the header says is trusted: all of it is held against the size of the file. */
acre_status acre_nersc_read_header(struct acre_gauge_file *gauge);
acre_status acre_milc_read_header(struct acre_gauge_file *gauge, bool big, bool has_checksum);
acre_status acre_scidac_read_header(struct acre_gauge_file *gauge);

#endif
