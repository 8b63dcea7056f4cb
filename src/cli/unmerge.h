#ifndef CLI_UNMERGE_H
#define CLI_UNMERGE_H

#include "depclean.h"
#include "emerge.h"

/* One `eprefix emerge --unmerge` or `--depclean`. Packages are meant by their index in
 * m->installed, which is that of the database. Empty value: only m set. */
struct unmerge {
	struct emerge *m;
	struct removal_input in;
	bool *chosen; /* those that go */
	VEC(size_t) order; /* the same, in the order of removal */
	struct removal_deps breaks; /* --unmerge: what will miss them */
	struct depclean clean; /* --depclean */
	bool depclean, targets; /* targets: operands were given */
	size_t n_world, n_system; /* atoms that those sets hold */
	bool *of_system; /* the last one that satisfies an atom of @system */
};

/* unmerge.c: all of it, from the operands on; false with *e filled. */
bool emerge_unmerge(struct emerge *m, char **argv, struct err *e);

/* unmerge_show.c */
void unmerge_show(const struct unmerge *u);
void unmerge_show_json(const struct unmerge *u);
/* Warnings before the question: what breaks, what belongs to @system. */
void unmerge_warn(const struct unmerge *u);
/* Counts of Portage's --depclean; done: they were removed. */
void unmerge_show_counts(const struct unmerge *u, bool done);
/* Why packages that were named stay. */
void unmerge_show_needed(const struct unmerge *u, const bool *targets);

/* unmerge_run.c: remove them, one by one, each with its line of the world file. */
bool unmerge_run(const struct unmerge *u, struct err *e);
/* One package by its index, within a run that holds the prefix's lock. */
bool unmerge_one(const struct emerge *m, size_t at, struct err *e);

#endif
