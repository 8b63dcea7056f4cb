#include "bind.h"
#include "lua_api.h"
#include "merge.h"

#include <string.h>
#include <sys/stat.h>

#define CURRENT "eprefix.phase" /* registry: what phase.open returned */

/* Run phases in a worker: lua/phase.lua. */

struct request {
	struct lua_phases *phases;
	const struct step *step;
	const struct worker_env *worker;
	const char *phase;
};

static void push_json(lua_State *L, const char *text)
{
	bind_function(L, "json", "decode");
	lua_pushstring(L, text != NULL ? text : "{}");
	lua_call(L, 1, 1);
}

static void set_step(lua_State *L, const struct step *s)
{
	bind_set(L, "repo_path", s->repo_path);
	bind_set(L, "repo", s->repo);
	bind_set(L, "category", s->category);
	bind_set(L, "pn", s->pn);
	bind_set(L, "pvr", s->pvr);
	bind_set(L, "use", s->use);
	bind_set(L, "stage", s->stage);
	bind_set(L, "root", s->root);
	bind_set(L, "workdir", s->workdir);
}

static void set_worker(lua_State *L, const struct worker_env *w)
{
	bind_set(L, "target", w->eprefix);
	bind_set(L, "distdir", w->distdir);
	if (w->makeflags_fds != NULL && w->makeflags_fds[0] != '\0')
		bind_set(L, "makeflags", w->makeflags_fds);
	lua_pushinteger(L, w->jobs > 0 ? w->jobs : 1);
	lua_setfield(L, -2, "jobs");
	lua_pushinteger(L, w->log_fd);
	lua_setfield(L, -2, "log_fd");
	lua_createtable(L, 2, 0);
	for (int i = 0; i < 2 && w->job_fds[0] >= 0; i++) {
		lua_pushinteger(L, w->job_fds[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "keep_fds");
}

/* Set field conf of the table on top of the stack from "NAME=value" strings. */
static void set_conf(lua_State *L, const char *const *conf)
{
	lua_newtable(L);
	for (; conf != NULL && *conf != NULL; conf++) {
		const char *eq = strchr(*conf, '=');
		if (eq == NULL)
			continue;
		lua_pushlstring(L, *conf, (size_t)(eq - *conf));
		lua_pushstring(L, eq + 1);
		lua_rawset(L, -3);
	}
	lua_setfield(L, -2, "conf");
}

/* Set fields tools and facts of the table at index job. */
static void set_stage(lua_State *L, int job, const struct lua_stage_input *in, const char *stage)
{
	push_json(L, in->facts);
	lua_setfield(L, job, "facts");
	bind_function(L, "stage", "tools");
	lua_pushstring(L, in->which);
	lua_getfield(L, job, "facts");
	push_json(L, in->options);
	lua_pushstring(L, in->eprefix);
	lua_pushstring(L, stage);
	lua_call(L, 5, 1);
	lua_setfield(L, job, "tools");
}

static int p_open(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	bind_function(L, "phase", "open");
	lua_createtable(L, 0, 20);
	int job = lua_gettop(L);
	set_step(L, q->step);
	set_worker(L, q->worker);
	set_conf(L, q->step->conf);
	lua_pushboolean(L, q->phases->confine);
	lua_setfield(L, job, "confine");
	set_stage(L, job, &q->phases->stages, q->step->stage);
	lua_call(L, 1, 1);
	lua_setfield(L, LUA_REGISTRYINDEX, CURRENT);
	return 0;
}

bool lua_phases_open(void *ctx, const struct step *s, const struct worker_env *w, struct err *e)
{
	struct lua_phases *p = ctx;
	struct request q = { .phases = p, .step = s, .worker = w };
	umask(022);
	p->log_fd = w->log_fd;
	if (p->lua == NULL && !lua_new(&p->lua, p->lua_dir, e))
		return false;
	return bind_protect(p->lua, p_open, &q, e);
}

static int p_run(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	bind_function(L, "phase", "run");
	lua_getfield(L, LUA_REGISTRYINDEX, CURRENT);
	lua_pushstring(L, q->phase);
	lua_call(L, 2, 0);
	return 0;
}

/* Copy the strings of the table at index t into f by `set`. */
static void take_fields(lua_State *L, int t, struct vdb_fields *f,
	void set(struct vdb_fields *, const char *, struct str))
{
	for (lua_pushnil(L); lua_next(L, t) != 0; lua_pop(L, 1)) {
		size_t n;
		const char *text = luaL_checklstring(L, -1, &n);
		set(f, luaL_checkstring(L, -2), (struct str){ text, n });
	}
}

static void set_line(struct vdb_fields *f, const char *name, struct str value)
{
	vdb_set(f, name, value.p);
}

static int p_record(lua_State *L)
{
	struct vdb_fields *f = lua_touserdata(L, 1);
	bind_function(L, "phase", "record");
	lua_getfield(L, LUA_REGISTRYINDEX, CURRENT);
	lua_call(L, 1, 2);
	take_fields(L, 2, f, set_line);
	take_fields(L, 3, f, vdb_set_bytes);
	return 0;
}

static bool merge(struct lua_phases *p, const struct step *s, struct err *e)
{
	struct vdb_fields fields = VDB_FIELDS_INIT;
	struct merge_job job = { .step = s, .eprefix = p->stages.eprefix, .log_fd = p->log_fd };
	bool ok = bind_protect(p->lua, p_record, &fields, e) &&
		  (p->before_merge == NULL || p->before_merge(p->ctx, s, e)) &&
		  merge_step(&job, &fields, e);
	vdb_fields_fini(&fields);
	return ok;
}

bool lua_phases_run(void *ctx, const struct step *s, enum phase p, struct err *e)
{
	struct lua_phases *phases = ctx;
	struct request q = { .phases = phases, .step = s, .phase = phase_name(p) };
	if (p == PHASE_MERGE)
		return merge(phases, s, e);
	return bind_protect(phases->lua, p_run, &q, e);
}

void lua_phases_fini(struct lua_phases *p)
{
	lua_free(p->lua);
	p->lua = NULL;
}
