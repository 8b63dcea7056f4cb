#include "commands.h"

const struct cli_command *const cli_commands[] = {
	&cmd_bootstrap,
	&cmd_emerge,
	&cmd_status,
	&cmd_log,
	&cmd_doctor,
	&cmd_shell,
	&cmd_env,
	&cmd_fetch,
	&cmd_query,
	&cmd_config,
	&cmd_overlay,
	&cmd_verify,
	&cmd_help,
	&cmd_pms,
	&cmd_dev,
	NULL,
};
