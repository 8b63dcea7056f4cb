#ifndef PMS_RESOLVE_INT_H
#define PMS_RESOLVE_INT_H

#include "resolve.h"

/* A package that was taken. */
struct taken {
	struct resolve_item item;
	bool done; /* in the list; before that, its dependencies are being looked at */
};

/* The state of one resolution. */
struct resolver {
	const struct resolve_input *in;
	struct resolution *out;
	struct arena *a;
	VEC(struct taken *) taken;
	VEC(const struct pkg *) walked; /* installed packages whose dependencies were looked at */
	VEC(const struct pkg *) chain; /* from the request to the package looked at now */
};

/* One dependency on its way to a package. */
struct want {
	const struct atom *atom;
	struct pkg *parent; /* NULL: a request */
	bool build; /* needed to build the parent, so it comes before */
};

/* The installed package that the atom matches, the highest; NULL when there is none. */
struct pkg *resolve_installed(const struct resolver *r, const struct atom *atom);
/* What is installed in the slot of p, or NULL. */
struct pkg *resolve_in_slot(const struct resolver *r, const struct pkg *p);
/* The taken package that the atom matches, and the one in the slot of p; NULL: none. */
struct taken *resolve_taken(const struct resolver *r, const struct atom *atom);
struct taken *resolve_taken_slot(const struct resolver *r, const struct pkg *p);
/* The best package of the repositories for a wish, be it masked. NULL with *e filled when there is
 * none. */
struct pkg *resolve_find(struct resolver *r, const struct want *w, struct err *e);
/* Add to r->out's lines what etc/portage lacks for the package that the atom asks for. */
void resolve_note(struct resolver *r, const struct atom *atom, struct pkg *p);
/* Is there one at all, without asking the configuration for more? */
bool resolve_findable(struct resolver *r, const struct atom *atom, struct err *e);
/* Do all packages of the list allow the flags they would have (REQUIRED_USE)? */
bool resolve_check_required(struct resolver *r, struct err *e);
/* "a/b-1 <- c/d-2 <- request" as the arena's text. */
const char *resolve_chain_text(struct resolver *r);

#endif
