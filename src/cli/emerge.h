#ifndef CLI_EMERGE_H
#define CLI_EMERGE_H

#include "engine.h"
#include "resolve.h"
#include "vdb.h"

/* One `eprefix emerge`. Empty value: all zero. */
struct emerge {
	struct cli *cli;
	struct engine engine;
	int root; /* EPREFIX */
	struct vdb *vdb;
	VEC(struct pkg) installed;
	VEC(const struct atom *) requests;
	struct strv favorites; /* what goes into the world file */
	struct resolution result;
	struct arena arena;
};

/* emerge_list.c: the merge list in Portage's manner. */
void emerge_show(const struct emerge *m);
/* emerge_json.c: the same as JSON; and the lines that are lacking. */
void emerge_show_json(const struct emerge *m);
void emerge_show_lines(const struct emerge *m);
/* {"error": …} of issue and scripts, to stdout. */
void emerge_error_json(const struct err *e);

/* emerge_request.c: operands to atoms: names, versions, sets, files. */
bool emerge_request(struct emerge *m, const char *operand, struct err *e);
/* Add the lines to etc/portage (--autounmask-write). */
bool emerge_write_lines(const struct emerge *m, struct err *e);

/* emerge_run.c: build and merge the list; and remember what was asked for. */
bool emerge_run(struct emerge *m, struct err *e);
/* --fetchonly: download what the list needs. */
bool emerge_fetch(struct emerge *m, struct err *e);
bool emerge_remember(struct emerge *m, struct err *e);

#endif
