#ifndef PMS_RESOLVE_INT_H
#define PMS_RESOLVE_INT_H

#include "resolve.h"

struct oracle;

/* A package that was taken. */
struct taken {
	struct resolve_item item;
	bool done; /* in the list; before that, its dependencies are being looked at */
};

/* An installed package's need that speaks of some name. */
struct need {
	struct pkg *of;
	const struct dep *node;
};

/* What is known of one cat/pn. */
struct by_name {
	VEC(struct pkg *) installed;
	VEC(struct taken *) taken;
	VEC(struct need) needs; /* of installed packages, once r->needs_known */
	VEC(struct need) blocks; /* and their blockers of this name */
};

/*
 * The state of one resolution. It is a walk from the requests that takes what is preferred. The
 * first walk takes nothing back; where it ends in a conflict, further ones ask the oracle before
 * each decision whether a solution is left behind it.
 */
struct resolver {
	const struct resolve_input *in;
	struct resolution *out;
	struct arena *a;
	struct map names; /* cat/pn -> struct by_name */
	VEC(struct by_name *) all_names;
	bool needs_known;
	bool may_remove; /* what is installed and in the way may go: nothing else helps */
	bool *removed; /* by installed package: it goes, the list blocks it */
	struct resolve_atoms world; /* once world_known */
	bool world_known;
	struct oracle *oracle; /* NULL in the first walk */
	bool *rebuild; /* by installed package: to be built again, its sub-slot dependencies changed
			*/
	bool *renew; /* and: to be merged anew in the best version (--rebuild-if-…) */
	/* Of this walk: */
	VEC(struct taken *) taken;
	VEC(struct pkg *) kept; /* installed packages that it relies on */
	bool *walked; /* by installed package: its dependencies were looked at */
	bool building; /* the alternatives looked at are needed to build something */
	VEC(const struct pkg *) chain; /* from the request to the package looked at now */
	VEC(const struct pkg *) circle; /* what it failed by: these cannot be ordered */
};

/* One dependency on its way to a package. */
struct want {
	const struct atom *atom;
	struct pkg *parent; /* NULL: a request */
	bool build; /* needed to build the parent, so it comes before */
	bool forced; /* no request though it has no parent: what is installed has to be replaced */
};

/* resolve_index.c */
struct by_name *resolve_name(struct resolver *r, struct str cp);
void resolve_index(struct resolver *r);
void resolve_index_fini(struct resolver *r);
/* The position of an installed package in in->installed. */
size_t resolve_at(const struct resolver *r, const struct pkg *installed);
/* The installed package that the atom matches, the highest; NULL when there is none. */
struct pkg *resolve_installed(const struct resolver *r, const struct atom *atom);
/* What is installed in the slot of p, or NULL. */
struct pkg *resolve_in_slot(const struct resolver *r, const struct pkg *p);
/* The taken package that the atom matches, and the one in the slot of p; NULL: none. */
struct taken *resolve_taken(const struct resolver *r, const struct atom *atom);
struct taken *resolve_taken_slot(const struct resolver *r, const struct pkg *p);
bool resolve_same_slot(const struct pkg *a, const struct pkg *b);

/* resolve_find.c */
/* How far a candidate is from being allowed. */
enum grade { GRADE_FREE, GRADE_USE, GRADE_KEYWORD, GRADE_MASK, GRADE_NO };
/* Without regard to USE dependencies: never GRADE_USE. */
enum grade resolve_grade(struct resolver *r, struct pkg *p);
/* The best package of the repositories for a wish: a visible one, with --nodeps be it masked. NULL
 * with *e filled when there is none. */
struct pkg *resolve_find(struct resolver *r, const struct want *w, struct err *e);
/* Why nothing satisfies the atom. */
const char *resolve_why_none(struct resolver *r, const struct atom *atom);
/* Add to r->out's lines what etc/portage lacks for the package that the atom asks for. */
void resolve_note(struct resolver *r, const struct atom *atom, struct pkg *p);
void resolve_note_use(struct resolver *r, const struct pkg *p, const char *flags);
/* Is there one at all, without asking the configuration for more? */
bool resolve_findable(struct resolver *r, const struct atom *atom, struct err *e);

/* resolve_stay.c: is nothing to be taken, as the installed package is as good as `best`? */
bool resolve_stays(const struct resolver *r, const struct want *w, const struct pkg *installed,
	const struct pkg *best);
/* Are dependencies looked at for updates, this many steps from a request? */
bool resolve_is_deep(const struct resolver *r, size_t steps);
bool resolve_is_excluded(const struct resolver *r, const struct pkg *p);

/* resolve_pick.c: a decision: take pkg, or let it stay. False with *e filled when nothing will do.
 */
struct pick {
	struct pkg *pkg;
	bool stays;
};
bool resolve_pick(struct resolver *r, const struct want *w, struct pkg *installed, struct pick *out,
	struct err *e);
/* Has the installed package to be taken anew, be it as good as any other? NULL: no. */
bool resolve_to_be_replaced(const struct resolver *r, const struct pkg *installed);

/* resolve_walk.c */
void resolve_walk_reset(struct resolver *r);
bool resolve_walk(struct resolver *r, struct err *e);
/* "a/b-1 <- c/d-2 <- request" as the arena's text. */
const char *resolve_chain_text(struct resolver *r);

/* resolve_again.c: mark what has to be built again beside what the walk took; *again: something
 * was. */
bool resolve_again(struct resolver *r, bool *again, struct err *e);

/* resolve_circle.c: the flag that breaks r->circle, or that there is none, as a line for a message.
 */
const char *resolve_circle_help(struct resolver *r);

/*
 * resolve_check.c: what the list would break. An installed package that the list blocks, or that
 * blocks the list, goes (r->out->removals) where nothing that stays needs it and @world does not
 * name it; else that is an error.
 */
bool resolve_check_blockers(struct resolver *r, struct err *e);
/* Do all packages of the list allow the flags they would have (REQUIRED_USE)? *bad: which not. */
bool resolve_check_required(struct resolver *r, struct pkg **bad, struct err *e);
/*
 * Needs of installed packages that hold now and would not any more. Those that only a new sub-slot
 * breaks are mended by building the package again: it is added to r->rebuild, *again tells of it.
 * False with *e filled when something else breaks.
 */
bool resolve_check_needs(struct resolver *r, bool *again, struct err *e);
/* Collect by_name.needs. */
void resolve_know_needs(struct resolver *r);
/* Does the need hold with what is installed? */
bool resolve_need_holds(const struct resolver *r, const struct need *n);
/* Does it hold with the list, or is it gone with its package? */
bool resolve_need_will_hold(const struct resolver *r, const struct need *n);

/* resolve_solve.c: the walks that ask. first: why the walk without them failed. */
bool resolve_solve(struct resolver *r, const struct err *first, struct err *e);

#endif
