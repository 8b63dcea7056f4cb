#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli.h"

/* One line `extern const struct cli_command cmd_NAME;` for each src/cli/NAME.c that holds a
 * command; the table in commands.c lists them in the order of the help. */

extern const struct cli_command cmd_bootstrap;
extern const struct cli_command cmd_config;
extern const struct cli_command cmd_dev;
extern const struct cli_command cmd_doctor;
extern const struct cli_command cmd_emerge;
extern const struct cli_command cmd_env;
extern const struct cli_command cmd_fetch;
extern const struct cli_command cmd_help;
extern const struct cli_command cmd_log;
extern const struct cli_command cmd_overlay;
extern const struct cli_command cmd_pms;
extern const struct cli_command cmd_query;
extern const struct cli_command cmd_shell;
extern const struct cli_command cmd_status;
extern const struct cli_command cmd_verify;

#endif
