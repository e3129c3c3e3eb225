/* tools/acre/commands.h: the sub-commands, in one table. */
#ifndef ACRE_TOOLS_COMMANDS_H
#define ACRE_TOOLS_COMMANDS_H

#include "tools/acre/options.h"

/* Each sub-command: name, operands, what it does in one line. */
#define ACRE_COMMAND_TABLE(X)                                                                                  \
    X(info, "", "show backends, devices, the machine, data formats and environment variables")                 \
    X(plaquette, "FILE...", "measure the average plaquette of gauge files, and check their headers")           \
    X(demo, "", "make a small gauge configuration, write it, read it back and measure it")

#define ACRE_COMMAND_DECLARE(name, operands, summary)                                                          \
    int acre_command_##name(const struct acre_command *command, int argc, char **argv);                        \
    extern const char acre_details_##name[];
ACRE_COMMAND_TABLE(ACRE_COMMAND_DECLARE)
#undef ACRE_COMMAND_DECLARE

#endif
