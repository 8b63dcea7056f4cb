#include "emerge.h"

#include "envd.h"
#include "executor.h"
#include "fetch_select.h"
#include "fs.h"
#include "image.h"
#include "json_in.h"
#include "lock.h"
#include "progress.h"
#include "state.h"
#include "user_patches.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a run needs beside the resolution. */
struct building {
	struct emerge *m;
	struct arena *a;
	struct lock lock;
	struct buf facts, options; /* JSON, as the bootstrap left them */
	struct lua_stage_input stages;
	struct stage_list list;
	VEC(struct source_list) sources;
	VEC(struct pkg_meta) packages;
	struct downloads downloads;
	struct plan plan;
	struct tally tally;
	struct progress progress;
	bool *done; /* by the place in the list */
};

static const char *text(struct building *b, struct str s)
{
	return arena_strndup(b->a, s.p, s.n);
}

static bool read_state(struct building *b, const char *name, struct buf *out, struct err *e)
{
	if (fs_read(b->m->root, name, out, e))
		return true;
	return err_in(e, "%s is no prefix that eprefix bootstrap made", b->m->engine.eprefix);
}

/* The stage file of this prefix: its last stage is how packages are built from now on. */
static bool load_stages(struct building *b, struct err *e)
{
	if (!read_state(b, "var/lib/eprefix/host.json", &b->facts, e) ||
		!read_state(b, "var/lib/eprefix/options.json", &b->options, e))
		return false;
	struct json *doc = json_parse((struct str){ b->options.p, b->options.n }, e);
	if (doc == NULL)
		return err_in(e, "var/lib/eprefix/options.json");
	bool guest = str_is(json_string(json_get(doc, "libc")), "host");
	json_free(doc);
	b->stages = (struct lua_stage_input){ .which = guest ? "guest" : "linux",
		.facts = buf_str(&b->facts),
		.options = buf_str(&b->options),
		.eprefix = b->m->engine.eprefix };
	return lua_stages(b->m->engine.lua, &b->stages, &b->list, e);
}

static const char *tools_text(const struct building *b)
{
	const char *found = "";
	for (size_t i = 0; i < b->list.v.n; i++) {
		if (strcmp(b->list.v.v[i].root, b->m->engine.eprefix) == 0)
			found = b->list.v.v[i].tools_text;
	}
	return found;
}

static const char *use_text(struct building *b, const struct pkg *p)
{
	struct strv on = STRV_INIT;
	const char *all = "";
	for (size_t i = 0; i < p->n_iuse; i++) {
		if (p->iuse[i].on)
			strv_own(&on, xstrndup(p->iuse[i].name.p, p->iuse[i].name.n));
	}
	strv_sort(&on);
	for (size_t i = 0; i < on.n; i++)
		all = arena_printf(b->a, "%s%s%s", all, i > 0 ? " " : "", on.v[i]);
	strv_fini(&on);
	return all;
}

static const char *slot_text(struct building *b, const struct pkg *p)
{
	if (str_eq(p->slot, p->subslot))
		return text(b, p->slot);
	return arena_printf(b->a, "%.*s/%.*s", STR_ARG(p->slot), STR_ARG(p->subslot));
}

static const char *iuse_text(struct building *b, const struct pkg *p)
{
	const char *all = "";
	for (size_t i = 0; i < p->n_iuse; i++) {
		const char preset[2] = { p->iuse[i].preset, '\0' };
		all = arena_printf(b->a, "%s%s%s%.*s", all, i > 0 ? " " : "", preset,
			STR_ARG(p->iuse[i].name));
	}
	return all;
}

/* The settings for the package's build as "NAME=value". */
static bool build_settings(
	struct building *b, const struct pkg *p, const char *const **out, struct err *e)
{
	struct config_env env = { 0 };
	bool ok = config_build_env(b->m->engine.config, p, &env, e);
	const char **all = arena_calloc(b->a, env.list.n + 1, sizeof *all);
	for (size_t i = 0; ok && i < env.list.n; i++)
		all[i] = arena_printf(b->a, "%s=%s", env.list.v[i].name, env.list.v[i].value);
	vec_fini(&env.list);
	*out = all;
	return ok;
}

static bool add_package(struct building *b, const struct pkg *p, struct err *e)
{
	if (p->kind != PKG_RECIPE)
		return err_set(e, ERR_USAGE, "emerge.ebuild",
			"%.*s/%.*s::%.*s is an ebuild, and ebuilds are built by Portage: it is "
			"planned and queried here only",
			STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(p->repo_name));
	struct recipe_ref ref = { p->repo->path, text(b, p->cat), text(b, p->pn),
		text(b, p->version), false };
	struct recipe_meta meta;
	struct source_list sources;
	if (!lua_recipe_meta(b->m->engine.lua, &ref, &meta, e))
		return false;
	struct pkg_meta out = { .category = ref.category,
		.pn = ref.pn,
		.pvr = ref.pvr,
		.slot = slot_text(b, p),
		.repo = text(b, p->repo_name),
		.repo_path = ref.repo_path,
		.iuse = iuse_text(b, p),
		.use = use_text(b, p),
		.depend = text(b, p->meta[PKG_DEPEND]),
		.rdepend = text(b, p->meta[PKG_RDEPEND]),
		.bdepend = text(b, p->meta[PKG_BDEPEND]),
		.pdepend = text(b, p->meta[PKG_PDEPEND]),
		.recipe_digest = arena_strdup(b->a, meta.digest),
		.mem_mb = meta.mem_mb };
	recipe_meta_fini(&meta);
	if (!engine_sources(&b->m->engine, p, &sources, e))
		return false;
	vec_push(&b->sources, sources);
	if (!build_settings(b, p, &out.conf, e) ||
		!user_patches(b->a, b->m->engine.eprefix, &out, e))
		return false;
	out.sources = sources.v.v;
	out.n_sources = sources.v.n;
	vec_push(&b->packages, out);
	return true;
}

static bool make_plan(struct building *b, struct err *e)
{
	for (size_t i = 0; i < b->m->result.list.n; i++) {
		if (!add_package(b, b->m->result.list.v[i].pkg, e))
			return false;
	}
	const struct plan_packages list = { b->m->engine.eprefix, b->packages.v, b->packages.n,
		tools_text(b) };
	struct strv redo = STRV_INIT;
	if (!plan_list(&b->plan, &list, e) || !plan_reasons(&b->plan, &redo, e))
		return false;
	/* The resolver decided what is built; that it was built like this before does not matter.
	 */
	for (size_t i = 0; i < b->plan.info.n; i++) {
		if (b->plan.info.v[i].reason == REASON_CURRENT)
			b->plan.info.v[i].reason = REASON_REDO;
	}
	return true;
}

/* The place in the list of the step's package. */
static size_t item_of(const struct building *b, const struct step *s)
{
	const struct resolution *r = &b->m->result;
	size_t i = 0;
	for (; i < r->list.n; i++) {
		const struct pkg *p = r->list.v[i].pkg;
		if (str_is(p->cat, s->category) && str_is(p->pn, s->pn) &&
			str_is(p->version, s->pvr))
			break;
	}
	return i;
}

/* A package was merged: the world file and the list to resume follow. */
static void step_done(struct building *b, size_t step)
{
	struct err e = ERR_INIT;
	size_t i = item_of(b, &b->plan.steps.v[step]);
	if (i == b->m->result.list.n)
		return;
	b->done[i] = true;
	if (!emerge_remember(b->m, b->m->result.list.v[i].pkg, &e) ||
		!emerge_resume_write(b->m, b->done, &e))
		cli_warn("%s", e.message);
}

static void on_event(void *ctx, const struct tally *t, const struct run_event *event)
{
	struct building *b = ctx;
	progress_event(&b->progress, t, event);
	if (event->kind == RUN_STEP_DONE)
		step_done(b, event->step);
}

/* In the worker: what blocks the package gives way, now that it is built. */
static bool make_way(void *ctx, const struct step *s, struct err *e)
{
	const struct building *b = ctx;
	size_t i = item_of(b, s);
	return i == b->m->result.list.n ||
	       emerge_remove_blocked(b->m, b->m->result.list.v[i].pkg, e);
}

static bool run(struct building *b, struct err *e)
{
	struct cli *c = b->m->cli;
	struct lua_phases phases = { .stages = b->stages,
		.confine = true,
		.lua_dir = getenv("EPREFIX_LUA"),
		.log_fd = -1,
		.before_merge = make_way,
		.ctx = b };
	const struct phase_runner runner = {
		.open = lua_phases_open, .run = lua_phases_run, .ctx = &phases
	};
	const char *status =
		arena_printf(b->a, "%s/var/lib/eprefix/emerge.json", b->m->engine.eprefix);
	const struct progress_opts po = { .fd = STDERR_FILENO,
		.color = c->color,
		.quiet = c->quiet,
		.verbose = c->verbose,
		.status_path = status };
	struct run_opts o = { .runner = &runner,
		.fetch = &b->downloads.opts,
		.distdir = b->downloads.opts.distdir,
		.keep_going = cli_has(c, "keep-going"),
		.event = on_event,
		.ctx = b };
	if (!emerge_jobs(b->m, &o.jobs, e))
		return false;
	if (!emerge_resume_write(b->m, b->done, e))
		return false;
	progress_init(&b->progress, &po, &b->plan);
	bool ok = run_plan(&b->plan, &o, &b->tally, e);
	progress_fini(&b->progress);
	return ok;
}

static bool lock(struct building *b, struct err *e)
{
	const char *path = arena_printf(b->a, "%s/var/lib/eprefix/lock", b->m->engine.eprefix);
	return lock_take(&b->lock, path, e) && image_recover(b->m->root, NULL, e) &&
	       envd_settle(b->m->root, b->m->engine.eprefix, e);
}

bool emerge_run(struct emerge *m, struct err *e)
{
	struct building b = { .m = m, .a = &m->arena, .lock = LOCK_NONE };
	b.done = arena_calloc(b.a, m->result.list.n + 1, sizeof *b.done);
	bool ok = lock(&b, e) && load_stages(&b, e) && downloads_open(&b.downloads, &m->engine, e);
	if (ok)
		b.downloads.opts.offline = cli_has(m->cli, "offline");
	ok = ok && make_plan(&b, e) && run(&b, e);
	tally_fini(&b.tally);
	plan_fini(&b.plan);
	for (size_t i = 0; i < b.sources.n; i++)
		source_list_fini(&b.sources.v[i]);
	vec_fini(&b.sources);
	vec_fini(&b.packages);
	stage_list_fini(&b.list);
	downloads_close(&b.downloads);
	buf_fini(&b.facts);
	buf_fini(&b.options);
	lock_release(&b.lock);
	return ok;
}

bool emerge_fetch(struct emerge *m, struct err *e)
{
	struct selection s = { .engine = &m->engine };
	struct downloads d = { 0 };
	bool ok = downloads_open(&d, &m->engine, e);
	for (size_t i = 0; ok && i < m->result.list.n; i++)
		ok = selection_package(&s, m->result.list.v[i].pkg, e);
	d.opts.offline = cli_has(m->cli, "offline");
	ok = ok && selection_fetch(&s, m->cli, &d.opts, e);
	selection_fini(&s);
	downloads_close(&d);
	return ok;
}
