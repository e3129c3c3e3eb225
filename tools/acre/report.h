/* tools/acre/report.h: the command's exit codes and its one-line complaints on stderr. */
#ifndef ACRE_TOOLS_REPORT_H
#define ACRE_TOOLS_REPORT_H

#include <stdio.h>

#include "acre/status.h"

/* With several inputs the highest wins. */
enum acre_exit {
    ACRE_EXIT_DONE,
    ACRE_EXIT_CHECK, /* a check failed */
    ACRE_EXIT_USAGE,
    ACRE_EXIT_INPUT, /* input can't be read, or output can't be written */
    ACRE_EXIT_DEVICE /* device, backend, memory or environment */
};

static inline int acre_exit_worst(int a, int b)
{
    return a > b ? a : b;
}

/* The exit code that goes with a failure of the library. */
int acre_exit_of(acre_status status);

/* Print "acre: …" as one line on stderr; control characters become '?', line ends blanks. */
void acre_report(const char *format, ...) ACRE_PRINTF(1, 2);

/* Make one line of a text that may hold anything: control characters become '?', line ends blanks. */
void acre_clean_line(char *text);

/* Print a file's name so cleaned, `most` bytes of it at the most. */
void acre_print_name(FILE *stream, const char *name, size_t most);

/* Print the library's message for `status`, behind `subject: ` unless that is NULL; gives the exit code. */
int acre_report_status(acre_status status, const char *subject);

/* Flush stdout; ACRE_EXIT_INPUT, with a line, if any of it could not be written. */
int acre_report_flush(void);

#endif
