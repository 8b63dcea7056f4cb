#ifndef BIND_LUA_API_H
#define BIND_LUA_API_H

#include "err.h"
#include "plan.h"
#include "step.h"
#include "str.h"

/*
 * What the C above asks of Lua: load a recipe, run a phase, evaluate stages and host facts. Nothing
 * here shows lua.h. Every failure is a filled *e that names file and line.
 */

/* One Lua state with the engine in it. Not for two threads at once. */
struct lua;

/* A new state. dir: read the engine's files from there (EPREFIX_LUA); NULL: those built in. */
bool lua_new(struct lua **out, const char *dir, struct err *e);
void lua_free(struct lua *l);

/* Where a recipe is: <repo_path>/<category>/<pn>/<pn>-<pvr>.lua. Strings are borrowed. */
struct recipe_ref {
	const char *repo_path, *category, *pn, *pvr;
	bool unlisted; /* the Manifest may lack sources */
};

/* A recipe's metadata; owned strings. Empty value: all zero. */
struct recipe_meta {
	/*
	 * md5-cache (portage-formats §5): KEY=value lines, sorted. Keys between underscores are the
	 * cache's: _md5_ (of the recipe), _eclasses_ (name TAB md5 … of its libraries), _digest_,
	 * _mem_.
	 */
	struct buf text;
	char digest[65]; /* SHA-256 hex of recipe, libraries, build system and used files/ */
	unsigned mem_mb; /* what one compile job may need; 0: the usual */
};

bool lua_recipe_meta(
	struct lua *l, const struct recipe_ref *ref, struct recipe_meta *out, struct err *e);
void recipe_meta_fini(struct recipe_meta *m);

/* The sources that these enabled flags (space separated) ask for, with sizes and checksums of the
 * Manifest. */
struct source_list {
	VEC(struct source) v; /* owns all below it */
};

bool lua_recipe_sources(struct lua *l, const struct recipe_ref *ref, const char *use,
	struct source_list *out, struct err *e);
void source_list_fini(struct source_list *s);

/* What stage and host files are asked with. */
struct lua_stage_input {
	const char *which; /* an embedded file ("linux") or a path with a slash */
	const char *facts; /* host facts, JSON */
	const char *options; /* of the bootstrap, JSON object; NULL: none */
	const char *eprefix; /* the final prefix, physical */
};

struct stage_list {
	struct arena arena; /* owns everything in it */
	VEC(struct stage) v;
};

bool lua_stages(
	struct lua *l, const struct lua_stage_input *in, struct stage_list *out, struct err *e);
void stage_list_fini(struct stage_list *s);

/*
 * Facts about this machine as JSON, found by compiling and running small programs below workdir (an
 * existing directory). options as above ("cc", "cxx", "path": a list of directories in place of the
 * host's usual ones). The list "unfit" holds what makes this machine unfit, and is absent when
 * nothing does.
 */
bool lua_host_facts(
	struct lua *l, const char *workdir, const char *options, struct buf *json, struct err *e);

/* What the phases of a worker need besides its step; all but `lua` is the caller's. */
struct lua_phases {
	struct lua_stage_input stages;
	bool confine; /* deny writes outside the work directory, and the network */
	/* What the caller has to do in the worker before a step is merged; NULL: nothing. */
	bool (*before_merge)(void *ctx, const struct step *s, struct err *e);
	void *ctx;
	const char *lua_dir; /* as for lua_new */
	struct lua *lua; /* this worker's, opened by lua_phases_open */
	int log_fd;
};

/* The two functions of a phase_runner (step.h); ctx is a struct lua_phases. */
bool lua_phases_open(void *ctx, const struct step *s, const struct worker_env *w, struct err *e);
bool lua_phases_run(void *ctx, const struct step *s, enum phase p, struct err *e);
void lua_phases_fini(struct lua_phases *p);

/*
 * Run a file of tests/lua: it is called with a function equal(got, want) and returns a table, each
 * function of which is a test that raises when it fails. Failures are printed to stderr and
 * counted.
 */
bool lua_run_tests(struct lua *l, const char *path, unsigned *failed, struct err *e);

#endif
