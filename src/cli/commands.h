#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli.h"

/* One line for each src/cli/<name>.c that holds a command; the table in commands.c lists them in
 * the order of the help. */

#endif
