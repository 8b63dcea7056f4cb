#include "commands.h"

#include "fs.h"
#include "manual.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* Print "cat/pn" of every package directory of a category. */
static void print_category(const char *repo, const char *category)
{
	char *dir = path_join(repo, category);
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	if (fs_is_dir(AT_FDCWD, dir))
		fs_list(AT_FDCWD, dir, &names, &ignored);
	for (size_t i = 0; i < names.n; i++)
		printf("%s/%s\n", category, names.v[i]);
	strv_fini(&names);
	free(dir);
}

/* Packages of one repository: below the categories it lists. */
static void print_repo(const char *repo)
{
	char *path = path_join(repo, "profiles/categories");
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	fs_read(AT_FDCWD, path, &text, &ignored);
	struct str rest = { text.p, text.n }, line;
	while (str_split(&rest, '\n', &line)) {
		char *category = xstrndup(line.p, line.n);
		if (line.n > 0 && line.p[0] != '#')
			print_category(repo, category);
		free(category);
	}
	buf_fini(&text);
	free(path);
}

/* For completion: fast and silent, so it reads directories and nothing else. */
static bool print_packages(struct cli *c, struct err *e)
{
	const char *prefix = cli_prefix(c, e);
	if (prefix == NULL)
		return false;
	char *base = path_join(prefix, "var/db/repos");
	struct strv repos = STRV_INIT;
	bool ok = fs_list(AT_FDCWD, base, &repos, e);
	for (size_t i = 0; ok && i < repos.n; i++) {
		char *repo = path_join(base, repos.v[i]);
		print_repo(repo);
		free(repo);
	}
	strv_fini(&repos);
	free(base);
	return ok;
}

static int print_text(const struct cli *c, const struct cli_command *command)
{
	struct buf out = BUF_INIT;
	const char *shell = cli_value(c, "completion", NULL);
	if (shell != NULL)
		completion_script(shell, &out);
	else if (cli_has(c, "man"))
		manual_page(command, &out);
	else
		cli_print_help(command);
	fputs(buf_str(&out), stdout);
	buf_fini(&out);
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	const struct cli_command *command = argc > 0 ? cli_find_command(argv[0]) : NULL;
	if (argc > 0 && command == NULL)
		return cli_usage(c, "there is no command \"%s\"", argv[0]);
	if (cli_has(c, "packages"))
		return print_packages(c, &e) ? 0 : cli_fail(&e);
	return print_text(c, command);
}

static const struct cli_option options[] = {
	{ 0, "man", NULL, "the manual page, for `man -l -`", NULL },
	{ 0, "completion", "SHELL", "completion for bash, zsh or fish", "bash|zsh|fish" },
	{ 0, "packages", NULL, "names of all packages of the prefix's repositories", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_help = {
	.name = "help",
	.summary = "tell what a command does; manual pages and shell completion",
	.usage = "[COMMAND]",
	.options = options,
	.max_args = 1,
	.run = run,
};
