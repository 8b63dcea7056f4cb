#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "cli.h"
#include "config.h"
#include "fetch.h"
#include "lua_api.h"
#include "mirror.h"
#include "repo.h"

/* What a command that works on packages of a prefix opens: recipes, repositories, configuration. */
struct engine {
	const char *eprefix; /* borrowed from the command line */
	struct lua *lua;
	struct repo_set *repos;
	struct config *config;
};
#define ENGINE_INIT ((struct engine){ 0 })

/* Open all for the prefix of the command line; warnings of the configuration are printed. */
bool engine_open(struct engine *g, struct cli *c, struct err *e);
/*
 * Only recipes and repositories, no configuration: those of the prefix (repos NULL), or of a text
 * like repos.conf.
 */
bool engine_open_repos(struct engine *g, const char *eprefix, const char *repos, struct err *e);
void engine_close(struct engine *g); /* accepts ENGINE_INIT */

/* The sources of a loaded package with its decided USE; only recipes have them. */
bool engine_sources(
	const struct engine *g, const struct pkg *p, struct source_list *out, struct err *e);

/* downloads.c: how to fetch for a prefix. Empty value: all zero. */
struct downloads {
	struct fetch_opts opts; /* the caller may set event, should_stop, ctx, limits */
	struct mirrors *mirrors;
	struct arena arena;
};
/*
 * DISTDIR, GENTOO_MIRRORS, proxies and certificates of the configuration, mirror names of
 * etc/portage/mirrors, of the repositories and of the host's apt.
 */
bool downloads_open(struct downloads *d, const struct engine *g, struct err *e);
void downloads_close(struct downloads *d);

#endif
