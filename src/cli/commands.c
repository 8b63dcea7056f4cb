#include "commands.h"

const struct cli_command *const cli_commands[] = {
	&cmd_pms,
	&cmd_dev,
	NULL,
};
