#ifndef PMS_MAKECONF_H
#define PMS_MAKECONF_H

#include "err.h"
#include "map.h"
#include "mem.h"
#include "vec.h"

/* Variables with their values; names and values are an arena's. */
struct vars {
	struct map map; /* name -> char * */
	struct strv names; /* in the order of their first assignment */
};

#define VARS_INIT ((struct vars){ MAP_INIT, STRV_INIT })

/* NULL when it is not set. */
const char *vars_get(const struct vars *v, const char *name);
/* Copies name; the value is borrowed and must outlive v. */
void vars_set(struct vars *v, const char *name, const char *value);
void vars_fini(struct vars *v);

/*
 * make.conf, make.defaults and the files of package.env (portage-formats §6): assignments, words
 * split as Python's POSIX shlex does, $X and ${X} expanded once from what was set before.
 */
struct makeconf {
	struct arena *arena; /* owns the values */
	struct vars *expand; /* earlier values, all layers; every assignment is added to it */
	struct vars *out; /* the assignments of these files */
	struct strv *warnings; /* "FILE:LINE: …" */
	bool sourcing; /* "source FILE" is allowed */
};

/* Read a file, or a directory of them; an absent path is fine. Errors name file and line. */
bool makeconf_read(const struct makeconf *m, const char *path, struct err *e);
/* The same for text that is in memory; file is its name in messages. */
bool makeconf_text(const struct makeconf *m, struct str text, const char *file, struct err *e);

#endif
