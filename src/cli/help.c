#include "cli.h"

#include <stdio.h>

#define HELP_COLUMN 28 /* where the help texts start */

static void print_option(const struct cli_option *o)
{
	char left[128];
	char letter[4] = "   ";
	if (o->short_name != '\0')
		snprintf(letter, sizeof letter, "-%c,", o->short_name);
	const char *arg = o->arg != NULL ? o->arg : "";
	/* "--deep[=N]" for an optional argument, "--jobs=N" for one that must be there */
	if (arg[0] == '[')
		snprintf(left, sizeof left, "%s --%s[=%s", letter, o->long_name, arg + 1);
	else
		snprintf(left, sizeof left, "%s --%s%s%s", letter, o->long_name,
			arg[0] != '\0' ? "=" : "", arg);
	printf("  %-*s  %s\n", HELP_COLUMN - 4, left, o->help);
}

static void print_options(const char *title, const struct cli_option *table)
{
	printf("\n%s:\n", title);
	for (const struct cli_option *o = table; o->long_name != NULL; o++)
		print_option(o);
}

static void print_overview(void)
{
	printf("Usage: eprefix COMMAND [options] [operands]\n"
	       "Bring up and keep a self-hosted toolchain in a directory of your own.\n"
	       "\nCommands:\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		printf("  %-*s  %s\n", HELP_COLUMN - 4, cli_commands[i]->name,
			cli_commands[i]->summary);
	print_options("Options of every command", cli_common_options);
	printf("\n`eprefix COMMAND --help` tells more about one of them.\n"
	       "Exit status: 0 done, 1 failed, 2 wrong usage, 3 unfit host, 4 a source could not "
	       "be "
	       "had,\n5 a build failed, 6 no solution, 7 prefix in use by another run, 130 "
	       "interrupted.\n");
}

void cli_print_help(const struct cli_command *command)
{
	if (command == NULL) {
		print_overview();
		return;
	}
	printf("Usage: eprefix %s [options]%s%s\n%s\n", command->name,
		command->usage[0] != '\0' ? " " : "", command->usage, command->summary);
	if (command->verbs != NULL) {
		printf("\nWhat it can do:\n");
		for (const struct cli_verb *v = command->verbs; v->name != NULL; v++) {
			char left[64];
			snprintf(left, sizeof left, "%s %s", v->name, v->args);
			printf("  %-*s  %s\n", HELP_COLUMN - 4, left, v->help);
		}
	}
	if (command->details != NULL)
		printf("\n%s\n", command->details);
	if (command->options != NULL)
		print_options("Options", command->options);
	print_options("Options of every command", cli_common_options);
}
