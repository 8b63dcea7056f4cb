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
	VEC(const struct atom *) favorites; /* the operands: what goes into the world file */
	struct strv sets; /* "@name" of the user's sets among them */
	struct strv open_sets; /* those that are being added to the requests */
	bool oneshot; /* nothing goes into the world file */
	bool skip_first; /* --skipfirst, until it was done */
	struct resolution result;
	struct strv suggestions; /* names that may have been meant */
	struct arena arena;
};

/* emerge_list.c: the merge list in Portage's manner. */
void emerge_show(const struct emerge *m);
/* emerge_json.c: the same as JSON; and the lines that are lacking. */
void emerge_show_json(const struct emerge *m);
void emerge_show_lines(const struct emerge *m);
/* {"error": …} for scripts, to stdout. */
void emerge_error_json(const struct emerge *m, const struct err *e);
/*
 * emerge_suggest.c: the package of a repository that "pn" or "cat/pn" may have meant, NULL: none.
 * It is remembered in m->suggestions. And those with the lines that etc/portage lacks as a JSON
 * list.
 */
const char *emerge_near(struct emerge *m, struct str name);
void emerge_json_suggestions(struct buf *b, const struct emerge *m);

/*
 * emerge_removals.c: is it to go before what blocks it? The same as JSON, after what *b holds. And
 * the removal itself, under the run's lock, before `by` is merged.
 */
bool emerge_goes_first(const struct resolve_removal *x);
void emerge_json_removals(struct buf *b, const struct emerge *m, const struct pkg *by, bool before);
bool emerge_remove_blocked(const struct emerge *m, const struct pkg *by, struct err *e);

/* One thing to be done, for JSON; unset parts are NULL. */
struct emerge_action {
	const char *name; /* "merge", "unmerge" */
	const struct pkg *pkg, *replaces;
	const char *reason;
};
/* Append {"action":…,"reason":…; more members may follow, and the caller closes it. */
void emerge_json_open(struct buf *b, const struct emerge *m, const struct emerge_action *a);
/* Ask on the terminal; an empty answer is a yes, as for Portage. */
bool emerge_ask(const char *question);

/* emerge_request.c: operands to atoms: names, versions, sets, files. */
bool emerge_request(struct emerge *m, const char *operand, struct err *e);
/* Add the atoms of a set to m->requests. */
bool emerge_set(struct emerge *m, const char *name, struct err *e);
/* Add the lines to etc/portage (--autounmask-write). */
bool emerge_write_lines(const struct emerge *m, struct err *e);

/*
 * emerge_targets.c: warn of each of AMDGPU_TARGETS that a package of the list is not compiled for,
 * and say which version still is. Once a target.
 */
void emerge_warn_targets(struct emerge *m);

/*
 * emerge_defaults.c: put the options of EMERGE_DEFAULT_OPTS before those given, unless
 * --ignore-default-opts is among these. ERR_USAGE for what is no option of emerge.
 */
bool emerge_defaults(struct emerge *m, struct err *e);
/* Jobs at once by --jobs, else by MAKEOPTS; *jobs keeps its value where neither tells. */
bool emerge_jobs(const struct emerge *m, unsigned *jobs, struct err *e);

/* emerge_run.c: build and merge the list, remembering what was asked for. */
bool emerge_run(struct emerge *m, struct err *e);
/* --fetchonly: download what the list needs. */
bool emerge_fetch(struct emerge *m, struct err *e);

/* emerge_world.c: add a merged package to the world file if it was asked for. */
bool emerge_remember(struct emerge *m, const struct pkg *p, struct err *e);
/* The same for what was asked for and needs no merge, and for sets. */
bool emerge_remember_rest(struct emerge *m, struct err *e);
/* --deselect: take lines out of the world file. */
bool emerge_deselect(struct emerge *m, char **argv, struct err *e);

/* emerge_resume.c: write what is left of the list; done: by index. All done: it is removed. */
bool emerge_resume_write(const struct emerge *m, const bool *done, struct err *e);
/* Read it into m->result and m->favorites; none leaves the list empty. */
bool emerge_resume_read(struct emerge *m, struct err *e);

#endif
