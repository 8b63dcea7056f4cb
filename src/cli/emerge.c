#include "emerge.h"

#include "commands.h"
#include "fs.h"
#include "unmerge.h"
#include "vdb_pkg.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	vec_fini(&m->favorites);
	strv_fini(&m->sets);
	strv_fini(&m->suggestions);
	strv_fini(&m->open_sets);
	if (m->vdb != NULL)
		vdb_free(m->vdb);
	if (m->root >= 0)
		close(m->root);
	engine_close(&m->engine);
	arena_fini(&m->arena);
}

/* Lines of etc/portage that no package fits are mistakes more often than not. */
static bool warn_unmatched(const struct emerge *m, struct err *e)
{
	struct strv lines = STRV_INIT;
	bool ok = config_unmatched(m->engine.config, &lines, e);
	for (size_t i = 0; i < lines.n; i++)
		cli_warn("%s", lines.v[i]);
	strv_fini(&lines);
	return ok;
}

/* The atoms of @world for the resolver, which holds on to those of the request meanwhile. */
static bool world_atoms(void *ctx, struct resolve_atoms *out, struct err *e)
{
	struct emerge *m = ctx;
	const struct emerge before = *m;
	memset(&m->requests, 0, sizeof m->requests);
	bool ok = emerge_set(m, "world", e);
	for (size_t i = 0; ok && i < m->requests.n; i++)
		vec_push(&out->list, m->requests.v[i]);
	vec_fini(&m->requests);
	m->requests = before.requests;
	return ok;
}

/* --update-if-installed: what is not there is not asked for. */
static void drop_absent(struct emerge *m)
{
	size_t n = 0;
	for (size_t i = 0; i < m->requests.n; i++) {
		bool there = false;
		for (size_t k = 0; k < m->installed.n && !there; k++)
			there = str_eq(m->requests.v[i]->cp, m->installed.v[k].cp);
		if (there)
			m->requests.v[n++] = m->requests.v[i];
	}
	m->requests.n = n;
}

static enum rebuild_if rebuild_if(const struct cli *c)
{
	if (cli_yes(c, "rebuild-if-unbuilt", false))
		return REBUILD_IF_MERGED;
	if (cli_yes(c, "rebuild-if-new-rev", false))
		return REBUILD_IF_NEW_REVISION;
	return cli_yes(c, "rebuild-if-new-ver", false) ? REBUILD_IF_NEW_VERSION : REBUILD_NEVER;
}

static bool plan(struct emerge *m, char **argv, struct err *e)
{
	struct cli *c = m->cli;
	if (!m->cli->quiet && !warn_unmatched(m, e))
		return false;
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (!emerge_request(m, argv[i], e))
			return false;
	}
	bool unmask = cli_yes(c, "autounmask", true);
	unsigned deep = cli_has(c, "deep") ? UINT_MAX : 0;
	if (!cli_number(c, "deep", (unsigned[]){ 0, 1000 }, &deep, e))
		return false;
	if (cli_yes(c, "update-if-installed", false))
		drop_absent(m);
	struct resolve_input in = { .repos = m->engine.repos,
		.config = m->engine.config,
		.installed = m->installed.v,
		.n_installed = m->installed.n,
		.requests = m->requests.v,
		.n_requests = m->requests.n,
		.world = world_atoms,
		.ctx = m,
		.opts = {
			.update = cli_has(c, "update") || cli_yes(c, "update-if-installed", false),
			.deep = deep,
			.newuse = cli_has(c, "newuse"),
			.changed_use = cli_has(c, "changed-use"),
			.noreplace = cli_yes(c, "selective", cli_has(c, "noreplace")),
			.nodeps = cli_has(c, "nodeps"),
			.onlydeps = cli_has(c, "onlydeps"),
			.onlydeps_no_rdeps = !cli_yes(c, "onlydeps-with-rdeps", true),
			.onlydeps_ideps = cli_yes(c, "onlydeps-with-ideps", false),
			.keep_keywords = !unmask || cli_yes(c, "autounmask-keep-keywords", false),
			.keep_masks = !unmask || cli_yes(c, "autounmask-keep-masks", false),
			.keep_use = !unmask || !cli_yes(c, "autounmask-use", true),
			.keep_licenses = !unmask || !cli_yes(c, "autounmask-license", false),
			.ignore_world = cli_yes(c, "ignore-world", false),
			.test_deps = cli_yes(c, "with-test-deps", false),
			.rebuild_if = rebuild_if(c),
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
	if (r->keywords.n + r->uses.n + r->unmasks.n + r->licenses.n == 0)
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

/* What was asked for is there already; the world file may not say so yet. */
static bool nothing_to_merge(struct emerge *m, struct err *e)
{
	if (m->favorites.n > 0 && cli_has(m->cli, "ask") && !m->oneshot &&
		!emerge_ask("Would you like to add these packages to your world favorites?"))
		return true;
	return emerge_remember_rest(m, e);
}

static bool merge(struct emerge *m, struct err *e)
{
	bool pretend = cli_has(m->cli, "pretend"), ok = lines_lacking(m, e);
	if (m->cli->json && ok)
		emerge_show_json(m);
	else if (!m->cli->json && (pretend || cli_has(m->cli, "ask") || m->cli->verbose > 0 || !ok))
		emerge_show(m);
	if (!m->cli->quiet && !m->cli->json)
		emerge_warn_targets(m);
	if (!ok || pretend)
		return ok;
	if (m->result.list.n == 0)
		return nothing_to_merge(m, e);
	if (!agreed(m))
		return err_set(e, ERR_INTERRUPTED, "emerge.ask", "not merged, as you wished");
	if (cli_has(m->cli, "fetchonly"))
		return emerge_fetch(m, e);
	return emerge_remember_rest(m, e) && emerge_run(m, e);
}

static bool emerge(struct emerge *m, char **argv, struct err *e)
{
	m->oneshot = cli_has(m->cli, "oneshot");
	if (cli_has(m->cli, "deselect"))
		return emerge_deselect(m, argv, e);
	if (cli_has(m->cli, "unmerge") || cli_has(m->cli, "depclean"))
		return emerge_unmerge(m, argv, e);
	bool resume = cli_has(m->cli, "resume");
	return (resume ? emerge_resume_read(m, e) : plan(m, argv, e)) && merge(m, e);
}

/* Actions exclude each other, and some need to be told of what. */
static int check_usage(const struct cli *c, int argc)
{
	static const char *const actions[] = { "unmerge", "depclean", "deselect", "resume" };
	const char *found = NULL;
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
		if (!cli_has(c, actions[i]))
			continue;
		if (found != NULL)
			return cli_usage(c, "--%s and --%s exclude each other", found, actions[i]);
		found = actions[i];
	}
	bool resume = found != NULL && strcmp(found, "resume") == 0;
	bool alone = resume || (found != NULL && strcmp(found, "depclean") == 0);
	if (argc == 0 && !alone)
		return cli_usage(c, "emerge needs %s", c->command->usage);
	if (argc > 0 && resume)
		return cli_usage(c, "--resume goes on with the last list and takes no operand");
	if (cli_has(c, "skipfirst") && !resume)
		return cli_usage(c, "--skipfirst belongs to --resume");
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct emerge m = { .cli = c, .root = -1 };
	struct err e = ERR_INIT;
	int misuse = check_usage(c, argc);
	if (misuse != 0)
		return misuse;
	bool ok = open_all(&m, &e) && emerge_defaults(&m, &e);
	if (ok && (misuse = check_usage(c, argc)) != 0) {
		close_all(&m);
		return misuse;
	}
	ok = ok && emerge(&m, argv, &e);
	if (!ok && c->json)
		emerge_error_json(&m, &e);
	close_all(&m);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 'p', "pretend", NULL, "show what would be done; change nothing", NULL },
	{ 'a', "ask", NULL, "show what would be done and ask", NULL },
	{ '1', "oneshot", NULL, "do not add the packages to the world file", NULL },
	{ 'O', "nodeps", NULL, "leave dependencies alone", NULL },
	{ 'o', "onlydeps", NULL, "merge the dependencies only", NULL },
	{ 'u', "update", NULL, "take the highest version", NULL },
	{ 'D', "deep", "[N]", "with --update: of all dependencies, too, or N steps deep", NULL },
	{ 'N', "newuse", NULL, "build again what was built with other USE flags or IUSE", NULL },
	{ 'U', "changed-use", NULL, "build again what was built with other flags enabled", NULL },
	{ 'n', "noreplace", NULL, "leave alone what is installed", NULL },
	{ 0, "update-if-installed", "[y|n]", "as --update, but ask only for what is installed",
		"y|n" },
	{ 0, "ignore-world", "[y|n]", "what is installed may break", "y|n" },
	{ 0, "with-test-deps", "[y|n]", "what the ATOMs' test suites need, too", "y|n" },
	{ 0, "rebuild-if-unbuilt", "[y|n]", "build again what is built with something merged",
		"y|n" },
	{ 0, "rebuild-if-new-rev", "[y|n]", "the same, only with another version or revision",
		"y|n" },
	{ 0, "rebuild-if-new-ver", "[y|n]", "the same, only with another version", "y|n" },
	{ 0, "complete-graph", "[y|n]",
		"look at all that is installed; always so, n changes nothing", "y|n" },
	{ 0, "complete-graph-if-new-use", "[y|n]", "always so as well", "y|n" },
	{ 0, "complete-graph-if-new-ver", "[y|n]", "always so as well", "y|n" },
	{ 0, "backtrack", "N", "of no effect: a solution that exists is found", NULL },
	{ 'X', "exclude", "PACKAGE", "never build this one anew", NULL },
	{ 'C', "unmerge", NULL, "remove packages, needed or not", NULL },
	{ 'c', "depclean", NULL, "remove what nothing needs; of the ATOMs only, if any", NULL },
	{ 'W', "deselect", NULL, "take the ATOMs or @SETs out of the world file; remove nothing",
		NULL },
	{ 'r', "resume", NULL, "go on with the list of the last run that failed", NULL },
	{ 0, "skipfirst", NULL, "with --resume: leave out the first of the list", NULL },
	{ 0, "with-bdeps", "[y|n]", "do build dependencies count? (--depclean: y, else n)", "y|n" },
	{ 0, "force", NULL, "with --unmerge: also packages of @system, without a question", NULL },
	{ 't', "tree", NULL, "show the list as a tree, a package above what it needs", NULL },
	{ 0, "unordered-display", NULL, "with --tree: by parents alone; always so, of no effect",
		NULL },
	{ 0, "columns", NULL, "show names and versions in columns", NULL },
	{ 0, "ignore-default-opts", NULL, "leave EMERGE_DEFAULT_OPTS alone", NULL },
	{ 'f', "fetchonly", NULL, "only download what the packages need", NULL },
	{ 'j', "jobs", "N",
		"jobs at once (default: as MAKEOPTS says, or what CPUs and memory allow)", NULL },
	{ 0, "offline", NULL, "download nothing; list what is missing", NULL },
	{ 0, "keep-going", NULL, "after a failure, build what does not depend on it", NULL },
	{ 0, "selective", "[y|n]", "as --noreplace", "y|n" },
	{ 0, "onlydeps-with-rdeps", "[y|n]",
		"with --onlydeps: what the packages need to run, too (y)", "y|n" },
	{ 0, "onlydeps-with-ideps", "[y|n]", "and with rdeps=n: what their installation needs (n)",
		"y|n" },
	{ 0, "autounmask", "[y|n]", "find out which lines etc/portage lacks (y)", "y|n" },
	{ 0, "autounmask-use", "[y|n]", "among them USE flags (y)", "y|n" },
	{ 0, "autounmask-keep-keywords", "[y|n]", "but no keywords (n)", "y|n" },
	{ 0, "autounmask-keep-masks", "[y|n]", "and nothing out of package.mask (n)", "y|n" },
	{ 0, "autounmask-license", "[y|n]", "and what package.license lacks (n)", "y|n" },
	{ 0, "autounmask-backtrack", "[y|n]", "of no effect: see --backtrack", "y|n" },
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
