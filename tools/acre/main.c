/* tools/acre/main.c: the command `acre`: finds the sub-command and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "tools/acre/commands.h"
#include "tools/acre/report.h"

static const struct acre_command commands[] = {
#define ROW(name, operands, summary) {#name, operands, summary, acre_details_##name, acre_command_##name},
    ACRE_COMMAND_TABLE(ROW)
#undef ROW
};
static const char command_names[] =
#define NAME(name, operands, summary) #name ", "
    ACRE_COMMAND_TABLE(NAME)
#undef NAME
        "help";
enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

static void print_help(void)
{
    printf("Usage: acre COMMAND [OPTION]... [FILE]...\n\n"
           "Lattice fields and gauge files.\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; ++i)
        printf("  %-12s %s\n", commands[i].name, commands[i].summary);
    printf("\nOptions:\n"
           "  --help       this text; 'acre COMMAND --help' has the command's own\n"
           "  --version    the version\n\n"
           "Exit codes: 0 done, 1 a check failed, 2 usage, 3 a file can't be read or written,\n"
           "4 device, backend, memory or environment. With several files the highest wins.\n");
}

int main(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : NULL;
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like any other */
    if (!first) {
        acre_report("no command given; see 'acre --help'");
        return ACRE_EXIT_USAGE;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        print_help();
        return acre_report_flush();
    }
    if (strcmp(first, "--version") == 0) {
        printf("acre %s\n", acre_version());
        return acre_report_flush();
    }
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(first, commands[i].name) == 0) {
            const int code = commands[i].run(&commands[i], argc - 2, argv + 2);
            return acre_exit_worst(code, acre_report_flush());
        }
    }
    acre_report("unknown %s \"%s\"; there are %s, see 'acre --help'", first[0] == '-' ? "option" : "command",
                first, first[0] == '-' ? "--help and --version" : command_names);
    return ACRE_EXIT_USAGE;
}
