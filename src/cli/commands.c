#include "commands.h"

const struct cli_command *const cli_commands[] = {
	&cmd_bootstrap,
	&cmd_doctor,
	&cmd_verify,
	&cmd_pms,
	&cmd_dev,
	NULL,
};
