/* tools/acre/report.c: the command's complaints, each one line on stderr. */
#include "tools/acre/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int acre_exit_of(acre_status status)
{
    switch (status) {
    case ACRE_OK:
        return ACRE_EXIT_DONE;
    case ACRE_ERR_FILE:
    case ACRE_ERR_FILE_FORMAT:
        return ACRE_EXIT_INPUT;
    case ACRE_ERR_ARGUMENT:
    case ACRE_ERR_TYPE:
    case ACRE_ERR_OVERFLOW:
        return ACRE_EXIT_USAGE;
    default:
        return ACRE_EXIT_DEVICE;
    }
}

static char printable(char c)
{
    if (c == '\n' || c == '\r' || c == '\t')
        return ' ';
    return (unsigned char)c < 32 || c == 127 ? '?' : c;
}

void acre_print_name(FILE *stream, const char *name, size_t most)
{
    for (const char *c = name; *c && (size_t)(c - name) < most; ++c)
        fputc(printable(*c), stream);
}

void acre_clean_line(char *text)
{
    for (char *c = text; *c; ++c)
        *c = printable(*c);
}

static void print_line(char *text)
{
    acre_clean_line(text);
    fflush(stdout); /* in order with what was printed before */
    fprintf(stderr, "acre: %s\n", text);
}

void acre_report(const char *format, ...)
{
    char cut[512], *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        print_line(text);
        free(text);
        return;
    }
    va_start(arguments, format);
    vsnprintf(cut, sizeof(cut), format, arguments);
    va_end(arguments);
    print_line(cut);
}

int acre_report_status(acre_status status, const char *subject)
{
    const char *message = acre_message();
    if (!message[0])
        message = acre_status_text(status);
    if (subject)
        acre_report("%s: %s", subject, message);
    else
        acre_report("%s", message);
    return acre_exit_of(status);
}

int acre_report_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return ACRE_EXIT_DONE;
    acre_report("can't write to standard output: %s", strerror(errno));
    clearerr(stdout);
    return ACRE_EXIT_INPUT;
}
