/* tools/acre/options.h: long options from a table, which also prints itself for --help. */
#ifndef ACRE_TOOLS_OPTIONS_H
#define ACRE_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum acre_option_kind {
    ACRE_OPTION_FLAG,   /* bool */
    ACRE_OPTION_CHOICE, /* int: index among the choices */
    ACRE_OPTION_TEXT,   /* const char * */
    ACRE_OPTION_NUMBER, /* double, finite */
    ACRE_OPTION_WHOLE   /* uint64_t */
};

struct acre_option {
    const char *name; /* without the dashes; NULL ends the table */
    enum acre_option_kind kind;
    void *value;                /* keeps its default when the option is not given */
    const char *const *choices; /* NULL at the end; for ACRE_OPTION_CHOICE */
    const char *takes;          /* what --help shows for text and numbers: "PATH" */
    const char *meaning;
};

struct acre_command {
    const char *name;
    const char *operands; /* as --help shows them: "FILE...", "" for none */
    const char *summary;  /* one line */
    const char *details;  /* the rest of --help; NULL: nothing */
    int (*run)(const struct acre_command *command, int argc, char **argv); /* gives the exit code */
};

enum acre_options_outcome { ACRE_OPTIONS_GO, ACRE_OPTIONS_HELPED, ACRE_OPTIONS_WRONG };

/* Parse argv (without the command's own name). `--name=value` and `--name value`; after `--` all are
 * operands, which are moved to the front of argv in their order; *operands says how many there are.
 * --help prints the help to stdout. What is wrong is said in one line on stderr. */
enum acre_options_outcome acre_options_parse(const struct acre_command *command,
                                             const struct acre_option *options, int argc, char **argv,
                                             int *operands);

/* Print a line on how the command was misused, with a hint; gives the exit code. */
int acre_options_misuse(const struct acre_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
