#include "boot.h"

#include "commands.h"
#include "envd.h"
#include "executor.h"
#include "findings.h"
#include "fs.h"
#include "image.h"
#include "progress.h"
#include "state.h"
#include "timings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

const char *boot_path(struct boot *b, const char *relative)
{
	return arena_printf(&b->arena, "%s/%s", b->eprefix, relative);
}

struct lua_stage_input boot_stage_input(const struct boot *b)
{
	return (struct lua_stage_input){ .which = b->which,
		.facts = buf_str(&b->facts),
		.options = buf_str(&b->options),
		.eprefix = b->eprefix };
}

/* Is this host fit? Asked in full before the first step only: a prefix that was begun has shown it.
 */
static bool preflight(struct boot *b, const char *named, struct err *e)
{
	char *facts = path_join(named, "var/lib/eprefix/host.json");
	bool begun = fs_exists(AT_FDCWD, facts);
	free(facts);
	if (begun) {
		b->eprefix = fs_real(named, e);
		return b->eprefix != NULL;
	}
	const struct hostcheck_opts o = { .eprefix = named,
		.env = (const char *const *)environ,
		.need_bytes = cli_has(b->cli, "stages") ? 0 : HOSTCHECK_BYTES,
		.need_inodes = cli_has(b->cli, "stages") ? 0 : HOSTCHECK_INODES };
	struct hostcheck h = HOSTCHECK_INIT;
	bool ok = cli_preflight(b->cli, &o, &h, e);
	b->eprefix = ok ? xstrdup(h.eprefix) : NULL;
	hostcheck_fini(&h);
	return ok;
}

/* What an interrupted merge left, in the prefix or in its tmp, is finished or undone. */
static bool recover(struct boot *b, struct err *e)
{
	static const char *const roots[] = { ".", "tmp" };
	for (size_t i = 0; i < 2; i++) {
		const char *path = boot_path(b, roots[i]);
		int root = -1;
		if (!fs_is_dir(AT_FDCWD, path))
			continue;
		bool ok = fs_open_dir(AT_FDCWD, path, &root, e) && image_recover(root, NULL, e) &&
			  envd_settle(root, path, e);
		if (root >= 0)
			close(root);
		if (!ok)
			return false;
	}
	return true;
}

static bool lock_prefix(struct boot *b, struct err *e)
{
	if (cli_has(b->cli, "pretend"))
		return true;
	return fs_mkdirs(AT_FDCWD, boot_path(b, "var/lib/eprefix"), 0755, e) &&
	       lock_take(&b->lock, boot_path(b, "var/lib/eprefix/lock"), e) && recover(b, e);
}

static bool plan_stages(struct boot *b, struct err *e)
{
	const struct plan_source source = boot_source(b);
	const struct plan_request request = { b->eprefix, b->stages.v.v, b->stages.v.n, &source };
	return plan_bootstrap(&b->plan, &request, e);
}

static bool make_plan(struct boot *b, struct err *e)
{
	const struct lua_stage_input in = boot_stage_input(b);
	struct timings timings = TIMINGS_INIT;
	struct strv redo = cli_values(b->cli, "redo");
	bool finished = boot_is_finished(b);
	bool ok = lua_stages(b->lua, &in, &b->stages, e) && plan_stages(b, e) &&
		  plan_reasons(&b->plan, &redo, e) && timings_load(&timings, b->eprefix, e);
	if (ok)
		plan_estimate(&b->plan, &timings);
	/* In a finished prefix tmp is gone: its tools are made again only for who needs them. */
	for (size_t i = 0; ok && i < b->plan.steps.n; i++)
		b->plan.info.v[i].on_demand =
			finished && strcmp(b->plan.steps.v[i].root, b->eprefix) != 0;
	timings_fini(&timings);
	strv_fini(&redo);
	return ok;
}

/* Forget the plan, to make another one. */
static void drop_plan(struct boot *b)
{
	plan_fini(&b->plan);
	b->plan = PLAN_INIT;
	for (size_t i = 0; i < b->sources.n; i++)
		source_list_fini(&b->sources.v[i]);
	vec_fini(&b->sources);
	stage_list_fini(&b->stages);
	b->stages = (struct stage_list){ 0 };
}

static void show_step(const struct boot *b, const struct tally *t, size_t i)
{
	const struct step *s = &b->plan.steps.v[i];
	if (t->steps[i].status == STEP_LEFT_OUT)
		return;
	bool current = t->steps[i].status == STEP_CURRENT;
	if (current && b->cli->verbose == 0)
		return;
	printf("%-52s %s%s%s%s\n", s->id,
		current ? "current" : reason_text(b->plan.info.v[i].reason),
		s->use[0] != '\0' ? " USE=\"" : "", s->use, s->use[0] != '\0' ? "\"" : "");
}

/* --pretend: the steps with their reasons, to stdout. */
static void show_plan(const struct boot *b, const struct tally *t)
{
	struct buf total = BUF_INIT;
	double cpu = 0;
	for (size_t i = 0; i < b->plan.steps.n; i++) {
		show_step(b, t, i);
		if (t->steps[i].status == STEP_WAITING)
			cpu += b->plan.steps.v[i].est_cpu_s;
	}
	progress_time(&total, cpu);
	printf("%zu of %zu steps to do, about %s of CPU time\n", t->todo, b->plan.steps.n,
		buf_str(&total));
	for (size_t i = 0; i < b->plan.notes.n && b->cli->verbose > 0; i++)
		printf("note: %s\n", b->plan.notes.v[i]);
	buf_fini(&total);
}

/* Run what is to do; b->tally says afterwards how it went. */
static bool run_steps(struct boot *b, struct err *e)
{
	struct lua_phases phases = {
		.stages = boot_stage_input(b), .confine = true, .lua_dir = b->lua_dir, .log_fd = -1
	};
	const struct phase_runner runner = {
		.open = lua_phases_open, .run = lua_phases_run, .ctx = &phases
	};
	const struct progress_opts po = { .fd = STDERR_FILENO,
		.color = b->cli->color,
		.quiet = b->cli->quiet,
		.verbose = b->cli->verbose,
		.status_path = boot_path(b, "var/lib/eprefix/status.json") };
	struct progress progress;
	static const unsigned range[2] = { 1, 1024 };
	struct run_opts o = { .runner = &runner,
		.fetch = &b->fetch,
		.distdir = b->distdir,
		.until = cli_value(b->cli, "until", NULL),
		.keep_going = cli_has(b->cli, "keep-going"),
		.keep_work = cli_has(b->cli, "keep-work"),
		.event = progress_event,
		.ctx = &progress };
	if (!cli_number(b->cli, "jobs", range, &o.jobs, e))
		return false;
	progress_init(&progress, &po, &b->plan);
	bool ok = run_plan(&b->plan, &o, &b->tally, e);
	progress_fini(&progress);
	return ok;
}

/* Did only the retargeted host compiler fail, which a cross compiler can replace? */
static bool retarget_failed(const struct boot *b, const struct err *e)
{
	if (e->code != ERR_BUILD || strcmp(cli_value(b->cli, "toolchain", "auto"), "auto") != 0)
		return false;
	for (size_t i = 0; i < b->plan.steps.n; i++) {
		if (b->tally.steps[i].status == STEP_FAILED &&
			strcmp(b->plan.steps.v[i].pn, "retarget") != 0)
			return false;
	}
	return b->tally.failed > 0;
}

static bool run_or_fall_back(struct boot *b, struct err *e)
{
	if (run_steps(b, e))
		return true;
	if (!retarget_failed(b, e))
		return false;
	cli_warn("the host's compiler cannot be made to build for the prefix; building a cross "
		 "compiler instead, which takes about 40 minutes of CPU time more");
	*e = ERR_INIT;
	tally_fini(&b->tally);
	drop_plan(b);
	return boot_fall_back(b, e) && make_plan(b, e) && run_steps(b, e);
}

/* How many steps there are to do; the tally is for show only. */
static bool count(struct boot *b, size_t *todo, struct err *e)
{
	struct tally t;
	bool ok = tally_init(&t, &b->plan, cli_value(b->cli, "until", NULL), e);
	*todo = t.todo;
	if (ok && cli_has(b->cli, "pretend"))
		show_plan(b, &t);
	tally_fini(&t);
	return ok;
}

/* From a plan to a prefix. */
static bool carry_out(struct boot *b, struct err *e)
{
	size_t todo = 0;
	if (!count(b, &todo, e) || cli_has(b->cli, "pretend"))
		return e->code == ERR_NONE;
	bool whole = !cli_has(b->cli, "until");
	bool complete = boot_is_verified(b) && !fs_exists(AT_FDCWD, boot_path(b, "tmp"));
	if (todo == 0 && (complete || !whole)) {
		if (!b->cli->quiet)
			fprintf(stderr, "Nothing to do: all %zu steps are current.\n",
				b->plan.steps.n);
		return true;
	}
	bool ok = run_or_fall_back(b, e) && (!whole || boot_finish(b, e));
	if (b->tally.plan != NULL && !b->cli->quiet)
		boot_tell_end(b);
	return ok;
}

static bool prepare(struct boot *b, struct err *e)
{
	bool pretend = cli_has(b->cli, "pretend");
	b->repo_dir = boot_path(b, "var/db/repos");
	return lua_new(&b->lua, b->lua_dir, e) && boot_options(b, e) && boot_distdir(b, e) &&
	       (!pretend || boot_scratch(b, e)) && boot_facts(b, e) &&
	       (pretend || boot_skeleton(b, e)) && boot_find_repos(b, e) && boot_profile(b, e) &&
	       boot_fetch(b, e) && make_plan(b, e);
}

static void boot_fini(struct boot *b)
{
	struct err ignored = ERR_INIT;
	tally_fini(&b->tally);
	drop_plan(b);
	lua_free(b->lua);
	mirrors_free(b->mirrors);
	lock_release(&b->lock);
	if (b->scratch != NULL)
		fs_remove_tree(AT_FDCWD, b->scratch, &ignored);
	free(b->scratch);
	strv_fini(&b->repos);
	buf_fini(&b->options);
	buf_fini(&b->facts);
	free(b->arch);
	free(b->distdir);
	free(b->eprefix);
	arena_fini(&b->arena);
}

/* The directory that is to be the prefix; it need not exist. */
static const char *named_prefix(struct boot *b, char **argv, struct err *e)
{
	const char *named = argv[0] != NULL ? argv[0] : cli_prefix(b->cli, e);
	if (named == NULL || named[0] == '/' || named[0] == '\0')
		return named;
	char *cwd = getcwd(NULL, 0);
	const char *absolute = arena_printf(&b->arena, "%s/%s", cwd != NULL ? cwd : "", named);
	free(cwd);
	return absolute;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct boot b = { .cli = c, .lock = LOCK_NONE, .lua_dir = getenv("EPREFIX_LUA") };
	struct err e = ERR_INIT;
	(void)argc;
	/* What is made here is for all who may enter the prefix; private files say so themselves.
	 */
	umask(022);
	b.source_dir = cli_value(c, "source-dir", NULL);
	if (b.source_dir != NULL)
		b.overlays = arena_printf(&b.arena, "%s/overlays", b.source_dir);
	b.overlays = cli_value(c, "overlays", b.overlays);
	const char *named = named_prefix(&b, argv, &e);
	bool ok = named != NULL && preflight(&b, named, &e) && lock_prefix(&b, &e) &&
		  prepare(&b, &e) && carry_out(&b, &e);
	boot_fini(&b);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 0, "until", "STAGE", "stop when this stage is done", NULL },
	{ 0, "redo", "ATOM", "build again though it is current: cat/pn or stage:cat/pn", NULL },
	{ 0, "libc", "WHICH", "prefix: a C library of its own (Linux); host: the host's",
		"prefix|host" },
	{ 0, "toolchain", "WAY", "first compiler: retarget the host's, build a cross one, or auto",
		"auto|retarget|cross" },
	{ 'j', "jobs", "N", "jobs at once (default: what CPUs and memory allow)", NULL },
	{ 0, "offline", NULL, "download nothing; list what is missing", NULL },
	{ 'p', "pretend", NULL, "show the steps and why they run; change nothing", NULL },
	{ 0, "keep-going", NULL, "after a failure, build what does not depend on it", NULL },
	{ 0, "keep-work", NULL, "leave work directories of finished steps", NULL },
	{ 0, "no-verify", NULL, "do not look for references to the host at the end", NULL },
	{ 0, "source-dir", "DIR", "source tree of eprefix (bootstrap/run gives it)", NULL },
	{ 0, "overlays", "DIR", "directory of overlays (default: overlays/ of the source tree)",
		NULL },
	{ 0, "distdir", "DIR", "where source archives are and go", NULL },
	{ 0, "set", "NAME=VALUE", "an option for the stage file: devel=false leaves @devel out",
		NULL },
	{ 0, "stages", "FILE", "stage file to follow instead of the built-in ones", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_bootstrap = {
	.name = "bootstrap",
	.summary = "bring up a self-hosted prefix, or go on with it",
	.usage = "[EPREFIX]",
	.details =
		"Builds, stage by stage, a toolchain and a base system in EPREFIX. Whatever "
		"stopped "
		"it, the\nsame command goes on: finished steps are not repeated, an interrupted "
		"compile continues.\nA changed recipe is built again with all that depends on it.",
	.options = options,
	.max_args = 1,
	.run = run,
};
