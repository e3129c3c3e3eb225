/* tools/acre/progress.c: a percentage on stderr while long work runs, on a terminal only. */
#include "tools/acre/progress.h"

#include "tools/acre/report.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double acre_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void acre_progress_start(struct acre_progress_line *line, const char *what)
{
    *line = (struct acre_progress_line){.what = what, .on_terminal = isatty(STDERR_FILENO) == 1};
    line->start = line->latest = acre_seconds();
}

void acre_progress_show(void *data, uint64_t done, uint64_t total)
{
    struct acre_progress_line *line = data;
    if (!line->on_terminal || total == 0)
        return;
    const double now = acre_seconds();
    if (now - line->start < 1 || (line->shown && now - line->latest < 0.1))
        return;
    fputs("\racre: ", stderr);
    acre_print_name(stderr, line->what, 60);
    fprintf(stderr, ": %3.0f%%", 100 * ((double)done / (double)total));
    fflush(stderr);
    line->shown = true;
    line->latest = now;
}

void acre_progress_end(struct acre_progress_line *line)
{
    if (line->shown)
        fputs("\r\033[K", stderr);
    line->shown = false;
}
