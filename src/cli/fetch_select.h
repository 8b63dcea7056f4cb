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
void selection_fini(struct selection *s);

#endif
