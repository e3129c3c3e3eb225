/* tools/acre/options.c: parsing and printing of the option tables. */
#include "tools/acre/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/acre/report.h"

int acre_options_misuse(const struct acre_command *command, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    acre_report("%s: %s; see 'acre %s --help'", command->name, text, command->name);
    return ACRE_EXIT_USAGE;
}

/* "native or half", "a, b or c". */
static void join_choices(const char *const *choices, const char *comma, const char *last, char *text,
                         size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; choices[i] && used < size; ++i) {
        const char *between = i == 0 ? "" : choices[i + 1] ? comma : last;
        used += (size_t)snprintf(text + used, size - used, "%s%s", between, choices[i]);
    }
}

/* What the option takes, in words for a complaint. */
static void describe(const struct acre_option *option, char *text, size_t size)
{
    if (option->kind == ACRE_OPTION_CHOICE)
        join_choices(option->choices, ", ", " or ", text, size);
    else if (option->kind == ACRE_OPTION_NUMBER)
        snprintf(text, size, "a number");
    else if (option->kind == ACRE_OPTION_WHOLE)
        snprintf(text, size, "a whole number from 0 to 18446744073709551615");
    else
        snprintf(text, size, "%s", option->takes);
}

static bool set_choice(const struct acre_option *option, const char *value)
{
    for (int i = 0; option->choices[i]; ++i) {
        if (strcmp(option->choices[i], value) == 0) {
            *(int *)option->value = i;
            return true;
        }
    }
    return false;
}

static bool set_number(const struct acre_option *option, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    if (!value[strcspn(value, " \t\n")] && end != value && !*end && isfinite(number)) {
        *(double *)option->value = number;
        return true;
    }
    return false;
}

static bool set_whole(const struct acre_option *option, const char *value)
{
    if (!value[0] || value[strspn(value, "0123456789")])
        return false;
    errno = 0;
    const unsigned long long number = strtoull(value, NULL, 10);
    if (errno)
        return false;
    *(uint64_t *)option->value = number;
    return true;
}

static bool set(const struct acre_option *option, const char *value)
{
    switch (option->kind) {
    case ACRE_OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case ACRE_OPTION_CHOICE:
        return set_choice(option, value);
    case ACRE_OPTION_TEXT:
        *(const char **)option->value = value;
        return value[0] != 0;
    case ACRE_OPTION_NUMBER:
        return set_number(option, value);
    case ACRE_OPTION_WHOLE:
        return set_whole(option, value);
    }
    return false;
}

static const struct acre_option *find(const struct acre_option *options, const char *name, size_t length)
{
    for (; options->name; ++options)
        if (strlen(options->name) == length && memcmp(options->name, name, length) == 0)
            return options;
    return NULL;
}

static void print_option(const char *left, const char *meaning)
{
    const int width = 34;
    if ((int)strlen(left) > width)
        printf("  %s\n  %*s  %s\n", left, width, "", meaning);
    else
        printf("  %-*s  %s\n", width, left, meaning);
}

static void print_help(const struct acre_command *command, const struct acre_option *options)
{
    printf("Usage: acre %s [OPTION]...%s%s\n\n%c%s.\n\nOptions:\n", command->name,
           command->operands[0] ? " " : "", command->operands, toupper((unsigned char)command->summary[0]),
           command->summary + 1);
    for (; options->name; ++options) {
        char left[128], takes[96];
        if (options->kind == ACRE_OPTION_CHOICE)
            join_choices(options->choices, "|", "|", takes, sizeof(takes));
        else
            snprintf(takes, sizeof(takes), "%s", options->kind == ACRE_OPTION_FLAG ? "" : options->takes);
        snprintf(left, sizeof(left), "--%s%s%s", options->name, takes[0] ? " " : "", takes);
        print_option(left, options->meaning);
    }
    print_option("--help", "this text");
    if (command->details)
        printf("\n%s", command->details);
}

/* One argument that starts with a dash. `next` is the one after it; *used is set when it was taken as the
 * value. */
static enum acre_options_outcome parse_one(const struct acre_command *command,
                                           const struct acre_option *options, const char *argument,
                                           const char *next, bool *used)
{
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        print_help(command, options);
        return ACRE_OPTIONS_HELPED;
    }
    const size_t dashes = strncmp(argument, "--", 2) == 0 ? 2 : 1;
    const char *name = argument + dashes;
    const size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    const struct acre_option *option = dashes == 2 ? find(options, name, length) : NULL;
    if (!option) {
        acre_options_misuse(command, "unknown option %.*s", (int)(dashes + length), argument);
        return ACRE_OPTIONS_WRONG;
    }
    if (option->kind == ACRE_OPTION_FLAG && value) {
        acre_options_misuse(command, "--%s takes no value", option->name);
        return ACRE_OPTIONS_WRONG;
    }
    char takes[128];
    describe(option, takes, sizeof(takes));
    if (option->kind != ACRE_OPTION_FLAG && !value) {
        if (!next) {
            acre_options_misuse(command, "--%s needs a value: %s", option->name, takes);
            return ACRE_OPTIONS_WRONG;
        }
        value = next;
        *used = true;
    }
    if (!set(option, value)) {
        acre_options_misuse(command, "--%s can't be \"%s\"; it takes %s", option->name, value, takes);
        return ACRE_OPTIONS_WRONG;
    }
    return ACRE_OPTIONS_GO;
}

enum acre_options_outcome acre_options_parse(const struct acre_command *command,
                                             const struct acre_option *options, int argc, char **argv,
                                             int *operands)
{
    bool only_operands = false;
    *operands = 0;
    for (int i = 0; i < argc; ++i) {
        if (only_operands || argv[i][0] != '-' || !argv[i][1]) {
            argv[(*operands)++] = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_operands = true;
            continue;
        }
        bool used = false;
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        const enum acre_options_outcome outcome = parse_one(command, options, argv[i], next, &used);
        if (outcome != ACRE_OPTIONS_GO)
            return outcome;
        i += used;
    }
    return ACRE_OPTIONS_GO;
}
