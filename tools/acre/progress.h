/* tools/acre/progress.h: a percentage on stderr while long work runs, on a terminal only. */
#ifndef ACRE_TOOLS_PROGRESS_H
#define ACRE_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct acre_progress_line {
    const char *what;
    bool on_terminal, shown;
    double start, latest; /* seconds */
};

/* Seconds of a clock that only goes forward. */
double acre_seconds(void);

void acre_progress_start(struct acre_progress_line *line, const char *what);
/* An acre_progress; `data` is the line. Nothing shows in the first second. */
void acre_progress_show(void *data, uint64_t done, uint64_t total);
/* Wipe the line, if it was shown. */
void acre_progress_end(struct acre_progress_line *line);

#endif
