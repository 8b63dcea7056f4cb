#ifndef CLI_FETCH_SELECT_H
#define CLI_FETCH_SELECT_H

#include "engine.h"

/* The packages whose sources `eprefix fetch` is to get. Empty value: only engine set. */
struct selection {
	struct engine *engine;
	struct arena arena;
	VEC(struct source_list) sources; /* of the chosen packages; owns what the jobs point to */
	VEC(struct fetch_job) jobs;
	struct strv seen; /* "cat/pf::repo" and "@set" already taken */
};

/*
 * Add the sources of an atom's best visible version, or of each member of a "@set" (@world,
 * @selected, @system, @profile, or one of the user's).
 */
bool selection_add(struct selection *s, const char *operand, struct err *e);
/* Add the sources of one loaded package with its decided USE; an ebuild has none of ours. */
bool selection_package(struct selection *s, const struct pkg *p, struct err *e);
void selection_fini(struct selection *s);

/* fetch.c: get them all, shown on the terminal; a signal stops it. */
bool selection_fetch(
	struct selection *s, struct cli *c, const struct fetch_opts *how, struct err *e);

#endif
