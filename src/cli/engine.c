#include "engine.h"

#include "digest.h"
#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>

extern char **environ;

/* MD5 of lib/NAME.lua, for the check of cached metadata. */
static bool library(void *ctx, const struct repo *r, struct str name, char hex[33])
{
	char md5[DIGEST_HEX_MAX];
	struct err ignored = ERR_INIT;
	char *path = xasprintf("%s/lib/%.*s.lua", r->path, STR_ARG(name));
	(void)ctx;
	bool ok = digest_file(AT_FDCWD, path, DIGEST_MD5, md5, &ignored);
	if (ok)
		memcpy(hex, md5, 33);
	free(path);
	return ok;
}

/* A package's name in the terms of lua_api.h; the strings are owned by the arena. */
static struct recipe_ref ref_of(struct arena *a, const struct pkg *p)
{
	return (struct recipe_ref){ .repo_path = p->repo->path,
		.category = arena_strndup(a, p->cat.p, p->cat.n),
		.pn = arena_strndup(a, p->pn.p, p->pn.n),
		.pvr = arena_strndup(a, p->version.p, p->version.n) };
}

static bool evaluate(
	void *ctx, const struct pkg *p, const char *path, struct buf *out, struct err *e)
{
	struct lua *lua = ctx;
	struct arena a = ARENA_INIT;
	struct recipe_ref ref = ref_of(&a, p);
	struct recipe_meta meta;
	(void)path;
	bool ok = lua_recipe_meta(lua, &ref, &meta, e);
	struct str rest = { meta.text.p, meta.text.n }, line;
	while (ok && str_split(&rest, '\n', &line)) {
		if (!str_starts(line, "_md5_=")) {
			buf_add_str(out, line);
			buf_addc(out, '\n');
		}
	}
	recipe_meta_fini(&meta);
	arena_fini(&a);
	return ok;
}

bool engine_open_repos(struct engine *g, const char *eprefix, const char *repos, struct err *e)
{
	*g = (struct engine){ .eprefix = eprefix };
	const struct repos_options options = {
		.eprefix = eprefix, .config_root = eprefix, .text = repos
	};
	if (!lua_new(&g->lua, getenv("EPREFIX_LUA"), e) || !repo_set_open(&g->repos, &options, e))
		return false;
	g->repos->recipes =
		(struct recipe_source){ .library = library, .evaluate = evaluate, .ctx = g->lua };
	return true;
}

bool engine_open(struct engine *g, struct cli *c, struct err *e)
{
	*g = ENGINE_INIT;
	const char *eprefix = cli_prefix(c, e);
	if (eprefix == NULL || !engine_open_repos(g, eprefix, getenv("PORTAGE_REPOSITORIES"), e))
		return false;
	const struct config_options config = {
		.eprefix = g->eprefix, .env = (const char *const *)environ, .repos = g->repos
	};
	if (!config_load(&g->config, &config, e))
		return false;
	for (size_t i = 0; i < g->repos->warnings.n; i++)
		cli_warn("%s", g->repos->warnings.v[i]);
	for (size_t i = 0; i < config_warnings(g->config)->n; i++)
		cli_warn("%s", config_warnings(g->config)->v[i]);
	return true;
}

void engine_close(struct engine *g)
{
	if (g->config != NULL)
		config_free(g->config);
	if (g->repos != NULL)
		repo_set_free(g->repos);
	if (g->lua != NULL)
		lua_free(g->lua);
	*g = ENGINE_INIT;
}

static int by_name(const void *a, const void *b)
{
	const struct iuse *x = a, *y = b;
	return str_cmp(x->name, y->name);
}

/* The enabled flags of IUSE, sorted and space separated. */
static void add_use(const struct pkg *p, struct buf *out)
{
	struct iuse *flags = xcalloc(p->n_iuse + 1, sizeof *flags);
	for (size_t i = 0; i < p->n_iuse; i++)
		flags[i] = p->iuse[i];
	qsort(flags, p->n_iuse, sizeof *flags, by_name);
	for (size_t i = 0; i < p->n_iuse; i++) {
		if (!flags[i].on)
			continue;
		if (out->n > 0)
			buf_addc(out, ' ');
		buf_add_str(out, flags[i].name);
	}
	free(flags);
}

bool engine_sources(
	const struct engine *g, const struct pkg *p, struct source_list *out, struct err *e)
{
	struct arena a = ARENA_INIT;
	struct buf use = BUF_INIT;
	struct recipe_ref ref = ref_of(&a, p);
	*out = (struct source_list){ 0 };
	add_use(p, &use);
	bool ok = lua_recipe_sources(g->lua, &ref, buf_str(&use), out, e);
	buf_fini(&use);
	arena_fini(&a);
	return ok;
}
