#include "commands.h"

#include "attr.h"
#include "fs.h"
#include "lua_api.h"
#include "mem.h"
#include "version.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tools for who writes recipes, stages or the engine. */

/* What every verb works with. Empty value: all zero. */
struct dev {
	struct cli *cli;
	struct lua *lua;
	struct buf options, facts; /* JSON */
	char *prefix;
};

static char *absolute(const char *path)
{
	char *cwd = getcwd(NULL, 0);
	char *joined = path_join(cwd != NULL ? cwd : "/", path), *clean = path_clean(joined);
	free(cwd);
	free(joined);
	return clean;
}

static bool host_facts(struct dev *d, struct err *e)
{
	if (d->facts.n > 0)
		return true;
	const char *base = getenv("TMPDIR");
	char *dir = xasprintf("%s/eprefix-dev-%ld", base != NULL ? base : "/tmp", (long)getpid());
	bool ok = fs_mkdirs(AT_FDCWD, dir, 0700, e) &&
		  lua_host_facts(d->lua, dir, buf_str(&d->options), &d->facts, e);
	struct err ignored = ERR_INIT;
	fs_remove_tree(AT_FDCWD, dir, &ignored);
	free(dir);
	return ok;
}

static struct lua_stage_input stage_input(const struct dev *d)
{
	return (struct lua_stage_input){ .which = cli_value(d->cli, "stages", "linux"),
		.facts = buf_str(&d->facts),
		.options = buf_str(&d->options),
		.eprefix = d->prefix };
}

/* "cat/pn-pvr" in a repository; the strings are owned by the arena. */
static bool parse_ref(
	struct arena *a, const char *repo, const char *cpv, struct recipe_ref *ref, struct err *e)
{
	struct cpv parts;
	char *path = absolute(repo);
	*ref = (struct recipe_ref){ .repo_path = arena_strdup(a, path) };
	free(path);
	if (!cpv_split(str_of(cpv), &parts) || parts.cat.n == 0)
		return err_set(e, ERR_USAGE, "dev.cpv", "'%s' is not category/name-version", cpv);
	ref->category = arena_strndup(a, parts.cat.p, parts.cat.n);
	ref->pn = arena_strndup(a, parts.pn.p, parts.pn.n);
	ref->pvr = arena_strndup(a, parts.version.p, parts.version.n);
	return true;
}

static bool dev_meta(struct dev *d, int argc, char **argv, struct err *e)
{
	struct arena arena = ARENA_INIT;
	bool ok = true;
	for (int i = 1; ok && i < argc; i++) {
		struct recipe_ref ref;
		struct recipe_meta meta = { 0 };
		ok = parse_ref(&arena, argv[0], argv[i], &ref, e) &&
		     lua_recipe_meta(d->lua, &ref, &meta, e);
		if (ok)
			fputs(buf_str(&meta.text), stdout);
		recipe_meta_fini(&meta);
	}
	arena_fini(&arena);
	return ok;
}

static void print_file(const struct source_file *f)
{
	printf("  %s %llu bytes\n", f->name, (unsigned long long)f->size);
	for (size_t i = 0; i < f->uris.n; i++)
		printf("    %s\n", f->uris.v[i]);
}

static bool dev_sources(struct dev *d, int argc, char **argv, struct err *e)
{
	struct arena arena = ARENA_INIT;
	struct recipe_ref ref;
	struct source_list list = { 0 };
	bool ok =
		argc == 2 || err_set(e, ERR_USAGE, "dev.usage", "sources wants OVERLAY CAT/PN-PVR");
	ok = ok && parse_ref(&arena, argv[0], argv[1], &ref, e) &&
	     lua_recipe_sources(d->lua, &ref, cli_value(d->cli, "use", ""), &list, e);
	for (size_t i = 0; i < list.v.n; i++) {
		puts("one of");
		for (size_t j = 0; j < list.v.v[i].alternatives.n; j++)
			print_file(&list.v.v[i].alternatives.v[j]);
	}
	source_list_fini(&list);
	arena_fini(&arena);
	return ok;
}

static void print_stage(const struct stage *s)
{
	printf("%s -> %s\n", s->name, s->root);
	for (size_t i = 0; s->packages[i] != NULL; i++)
		printf("  %s\n", s->packages[i]);
	for (size_t i = 0; s->needs[i] != NULL; i++)
		printf("  needs %s\n", s->needs[i]);
	printf("  tools %s\n", s->tools_text);
}

static bool dev_stages(struct dev *d, int argc, char **argv, struct err *e)
{
	(void)argc;
	(void)argv;
	struct stage_list list = { 0 };
	if (!host_facts(d, e))
		return false;
	struct lua_stage_input in = stage_input(d);
	bool ok = lua_stages(d->lua, &in, &list, e);
	for (size_t i = 0; i < list.v.n; i++)
		print_stage(&list.v.v[i]);
	stage_list_fini(&list);
	return ok;
}

static bool dev_host(struct dev *d, int argc, char **argv, struct err *e)
{
	(void)argc;
	(void)argv;
	return host_facts(d, e) && puts(buf_str(&d->facts)) >= 0;
}

static bool dev_test(struct dev *d, int argc, char **argv, struct err *e)
{
	unsigned all = 0;
	for (int i = 0; i < argc; i++) {
		unsigned failed = 0;
		if (!lua_run_tests(d->lua, argv[i], &failed, e))
			return false;
		all += failed;
	}
	return all == 0 || err_set(e, ERR_FAILED, "dev.test", "%u tests failed", all);
}

/* The step that `phases` runs: everything by hand, no plan. */
static struct step make_step(struct dev *d, struct arena *a, const struct recipe_ref *ref)
{
	static const char *const with_tests[] = { "FEATURES=test", NULL };
	char *root = absolute(cli_value(d->cli, "root", d->prefix));
	struct step s = {
		.id = "dev",
		.stage = cli_value(d->cli, "stage", "emerge"),
		.root = arena_strdup(a, root),
		.category = ref->category,
		.pn = ref->pn,
		.pvr = ref->pvr,
		.slot = cli_value(d->cli, "slot", "0"),
		.repo = path_base(ref->repo_path),
		.repo_path = ref->repo_path,
		.use = cli_value(d->cli, "use", ""),
		.iuse = "",
		.conf = cli_has(d->cli, "test") ? with_tests : NULL,
		.key = "dev",
		.log = "",
	};
	s.workdir = arena_printf(a, "%s/var/tmp/portage/%s/%s-%s", s.root, s.category, s.pn, s.pvr);
	free(root);
	return s;
}

static bool run_phases(struct dev *d, const struct step *s, struct err *e)
{
	char *distdir = absolute(cli_value(d->cli, "distdir", "."));
	struct lua_phases phases = { .stages = stage_input(d),
		.confine = cli_has(d->cli, "confine"),
		.lua_dir = getenv("EPREFIX_LUA") };
	struct worker_env worker = { .eprefix = d->prefix,
		.distdir = distdir,
		.job_fds = { -1, -1 },
		.log_fd = STDERR_FILENO };
	const char *until = cli_value(d->cli, "until", "install");
	bool ok = cli_number(d->cli, "jobs", (unsigned[]){ 1, 1024 }, &worker.jobs, e) &&
		  lua_phases_open(&phases, s, &worker, e);
	for (enum phase p = PHASE_UNPACK; ok && p < PHASE_COUNT; p++) {
		fprintf(stderr, ">>> %s\n", phase_name(p));
		ok = lua_phases_run(&phases, s, p, e) || err_in(e, "%s", phase_name(p));
		if (strcmp(until, phase_name(p)) == 0)
			break;
	}
	lua_phases_fini(&phases);
	free(distdir);
	return ok;
}

static bool dev_phases(struct dev *d, int argc, char **argv, struct err *e)
{
	struct arena arena = ARENA_INIT;
	struct recipe_ref ref;
	bool ok =
		argc == 2 || err_set(e, ERR_USAGE, "dev.usage", "phases wants OVERLAY CAT/PN-PVR");
	ok = ok && parse_ref(&arena, argv[0], argv[1], &ref, e) && host_facts(d, e);
	if (ok) {
		struct step s = make_step(d, &arena, &ref);
		ok = run_phases(d, &s, e);
	}
	arena_fini(&arena);
	return ok;
}

static const struct dev_verb {
	const char *name;
	bool (*run)(struct dev *d, int argc, char **argv, struct err *e);
} verbs[] = {
	{ "meta", dev_meta },
	{ "sources", dev_sources },
	{ "stages", dev_stages },
	{ "host", dev_host },
	{ "phases", dev_phases },
	{ "test", dev_test },
};

static bool dispatch(struct dev *d, int argc, char **argv, struct err *e)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, argv[0]) == 0)
			return verbs[i].run(d, argc - 1, argv + 1, e);
	}
	return err_set(
		e, ERR_USAGE, "dev.verb", "no developer's tool '%s'; see 'dev --help'", argv[0]);
}

static int run_dev(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct dev d = { .cli = c };
	d.prefix = absolute(cli_value(c, "target", "/nonexistent/eprefix"));
	buf_adds(&d.options, cli_value(c, "options", "{}"));
	bool ok = lua_new(&d.lua, getenv("EPREFIX_LUA"), &e) && dispatch(&d, argc, argv, &e);
	lua_free(d.lua);
	buf_fini(&d.options);
	buf_fini(&d.facts);
	free(d.prefix);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 0, "target", "DIR", "the final prefix ($TARGET)", NULL },
	{ 0, "root", "DIR", "the root that is filled ($EPREFIX); the target when not given", NULL },
	{ 0, "distdir", "DIR", "where the source archives are", NULL },
	{ 0, "stages", "FILE", "stage file: an embedded name, or a path", NULL },
	{ 0, "stage", "NAME", "whose tools build", NULL },
	{ 0, "options", "JSON", "options of the bootstrap for stage and host files", NULL },
	{ 0, "use", "FLAGS", "enabled USE flags", NULL },
	{ 0, "slot", "SLOT", "slot/sub-slot, for the merge", NULL },
	{ 0, "until", "PHASE", "last phase to run; merge is the last of all", NULL },
	{ 'j', "jobs", "N", "parallel jobs", NULL },
	{ 0, "test", NULL, "run the test phase too", NULL },
	{ 0, "confine", NULL, "in the sandbox", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

static const struct cli_verb dev_verbs[] = {
	{ "meta", "OVERLAY CAT/PN-PVR…", "print metadata as in md5-cache" },
	{ "sources", "OVERLAY CAT/PN-PVR", "print sources and their alternatives" },
	{ "stages", "", "print the stages for this host" },
	{ "host", "", "print the facts about this host" },
	{ "phases", "OVERLAY CAT/PN-PVR", "run the phases of a package" },
	{ "test", "FILE…", "run tests written in Lua" },
	{ NULL, NULL, NULL },
};

const struct cli_command cmd_dev = {
	.name = "dev",
	.summary = "tools for who writes recipes, stages or the engine",
	.usage = "VERB …",
	.options = options,
	.verbs = dev_verbs,
	.min_args = 1,
	.max_args = -1,
	.run = run_dev,
};
