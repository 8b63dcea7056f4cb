#include "emerge.h"

#include "commands.h"
#include "fs.h"
#include "unmerge.h"
#include "vdb_pkg.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool open_all(struct emerge *m, struct err *e)
{
	if (!engine_open(&m->engine, m->cli, e) ||
		!fs_open_dir(AT_FDCWD, m->engine.eprefix, &m->root, e) ||
		!vdb_open(&m->vdb, m->root, m->engine.eprefix, e))
		return false;
	for (size_t i = 0; i < vdb_count(m->vdb); i++) {
		struct pkg p = { 0 };
		vdb_pkg_view(&m->arena, vdb_at(m->vdb, i), &p);
		vec_push(&m->installed, p);
	}
	return true;
}

static void close_all(struct emerge *m)
{
	resolution_fini(&m->result);
	vec_fini(&m->installed);
	vec_fini(&m->requests);
	strv_fini(&m->favorites);
	if (m->vdb != NULL)
		vdb_free(m->vdb);
	if (m->root >= 0)
		close(m->root);
	engine_close(&m->engine);
	arena_fini(&m->arena);
}

static bool plan(struct emerge *m, char **argv, struct err *e)
{
	struct cli *c = m->cli;
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (!emerge_request(m, argv[i], e))
			return false;
	}
	struct resolve_input in = { .repos = m->engine.repos,
		.config = m->engine.config,
		.installed = m->installed.v,
		.n_installed = m->installed.n,
		.requests = m->requests.v,
		.n_requests = m->requests.n,
		.opts = { .update = cli_has(c, "update"),
			.deep = cli_has(c, "deep"),
			.newuse = cli_has(c, "newuse"),
			.noreplace = cli_has(c, "noreplace"),
			.nodeps = cli_has(c, "nodeps"),
			.onlydeps = cli_has(c, "onlydeps"),
			.exclude = cli_values(c, "exclude") } };
	bool ok = resolve(&in, &m->result, e);
	strv_fini(&in.opts.exclude);
	return ok;
}

bool emerge_ask(const char *question)
{
	char line[16] = "";
	printf("\n%s [Yes/No] ", question);
	fflush(stdout);
	if (fgets(line, sizeof line, stdin) == NULL)
		return false;
	return line[0] == '\n' || line[0] == 'y' || line[0] == 'Y';
}

/* --ask: does the user want it? */
static bool agreed(const struct emerge *m)
{
	if (!cli_has(m->cli, "ask"))
		return true;
	return emerge_ask(cli_has(m->cli, "fetchonly")
				  ? "Would you like to fetch the source files for these packages?"
				  : "Would you like to merge these packages?");
}

/* The list may need changes of the configuration first. */
static bool lines_lacking(struct emerge *m, struct err *e)
{
	const struct resolution *r = &m->result;
	if (r->keywords.n + r->uses.n + r->unmasks.n == 0)
		return true;
	emerge_show_lines(m);
	if (cli_has(m->cli, "autounmask-write") && !cli_has(m->cli, "pretend")) {
		if (!emerge_write_lines(m, e))
			return false;
		return err_set(e, ERR_CONFLICT, "emerge.autounmask",
			"the configuration was changed; give the command again");
	}
	return err_set(e, ERR_CONFLICT, "emerge.masked",
		"the packages above are masked or need other USE flags; add the lines shown, or "
		"let "
		"--autounmask-write do it");
}

static bool emerge(struct emerge *m, char **argv, struct err *e)
{
	if (!open_all(m, e))
		return false;
	if (cli_has(m->cli, "unmerge") || cli_has(m->cli, "depclean"))
		return emerge_unmerge(m, argv, e);
	if (!plan(m, argv, e))
		return false;
	bool pretend = cli_has(m->cli, "pretend");
	bool ok = lines_lacking(m, e);
	if (m->cli->json && ok)
		emerge_show_json(m);
	else if (!m->cli->json && (pretend || cli_has(m->cli, "ask") || m->cli->verbose > 0 || !ok))
		emerge_show(m);
	if (!ok || pretend || m->result.list.n == 0)
		return ok && (pretend || emerge_remember(m, e));
	if (!agreed(m))
		return err_set(e, ERR_INTERRUPTED, "emerge.ask", "not merged, as you wished");
	if (cli_has(m->cli, "fetchonly"))
		return emerge_fetch(m, e);
	return emerge_run(m, e) && emerge_remember(m, e);
}

static int run(struct cli *c, int argc, char **argv)
{
	struct emerge m = { .cli = c, .root = -1 };
	struct err e = ERR_INIT;
	if (argc == 0 && !cli_has(c, "depclean"))
		return cli_usage(c, "emerge needs %s", c->command->usage);
	bool ok = emerge(&m, argv, &e);
	close_all(&m);
	if (!ok && c->json)
		emerge_error_json(&e);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 'p', "pretend", NULL, "show what would be done; change nothing", NULL },
	{ 'a', "ask", NULL, "show what would be done and ask", NULL },
	{ '1', "oneshot", NULL, "do not add the packages to the world file", NULL },
	{ 'O', "nodeps", NULL, "leave dependencies alone", NULL },
	{ 'o', "onlydeps", NULL, "merge the dependencies only", NULL },
	{ 'u', "update", NULL, "take the highest version", NULL },
	{ 'D', "deep", NULL, "with --update: of all dependencies, too", NULL },
	{ 'N', "newuse", NULL, "build again what was built with other USE flags", NULL },
	{ 'n', "noreplace", NULL, "leave alone what is installed", NULL },
	{ 'X', "exclude", "PACKAGE", "never build this one anew", NULL },
	{ 'C', "unmerge", NULL, "remove packages, needed or not", NULL },
	{ 'c', "depclean", NULL, "remove what nothing needs; of the ATOMs only, if any", NULL },
	{ 0, "with-bdeps", "[y|n]", "do build dependencies count? (--depclean: y, else n)", "y|n" },
	{ 0, "force", NULL, "with --unmerge: also packages of @system, without a question", NULL },
	{ 't', "tree", NULL, "show the list as a tree, a package above what it needs", NULL },
	{ 0, "columns", NULL, "show names and versions in columns", NULL },
	{ 'f', "fetchonly", NULL, "only download what the packages need", NULL },
	{ 'j', "jobs", "N", "jobs at once (default: what CPUs and memory allow)", NULL },
	{ 0, "offline", NULL, "download nothing; list what is missing", NULL },
	{ 0, "keep-going", NULL, "after a failure, build what does not depend on it", NULL },
	{ 0, "autounmask-write", NULL, "write the lines that etc/portage lacks", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_emerge = {
	.name = "emerge",
	.summary = "build and install packages with all they need",
	.usage = "ATOM…|@SET…",
	.details =
		"Names may be short (make), full (dev-build/make) or atoms (>=dev-build/make-4.4). "
		"Sets: @world,\n@system, @selected, and those of etc/portage/sets.",
	.options = options,
	.min_args = 0,
	.max_args = -1,
	.run = run,
};
