#ifndef PMS_DEPCLEAN_INT_H
#define PMS_DEPCLEAN_INT_H

#include "depclean.h"

#include "map.h"

/* Installed packages of one name, the highest version first. */
struct removal_name {
	size_t *v;
	size_t n;
};

/* The installed packages by name. */
struct removal_index {
	const struct removal_input *in;
	struct map names; /* "cat/pn" → struct removal_name */
	struct arena arena;
};
/* Installed packages of a name, NULL: none. */
const struct removal_name *removal_name(const struct removal_index *x, struct str cp);
/* Does the atom match the package, by its record or by its present ebuild's slot? */
bool removal_match(const struct removal_index *x, const struct atom *atom, size_t i);
void removal_index_init(struct removal_index *x, const struct removal_input *in);
void removal_index_fini(struct removal_index *x);

#define REMOVAL_NONE SIZE_MAX
/* The highest installed package that the atom matches; have: only among those (NULL: all). */
size_t removal_find(const struct removal_index *x, const struct atom *atom, const bool *have);
/* The atom of a node with its conditional flags decided by package `of`. */
const struct atom *removal_atom(const struct removal_index *x, const struct dep *d, size_t of);
/* Is a condition of package `of` met? */
bool removal_active(const struct removal_index *x, const struct dep *d, size_t of);
/* Does the node hold with the packages of `have` (NULL: all)? Blockers always do. */
bool removal_holds(const struct removal_index *x, const struct dep *d, size_t of, const bool *have);
/* The dependency fields that count, REMOVAL_NONE-like PKG_KEYS at the end; the soft ones last. */
extern const enum pkg_key removal_keys[];
bool removal_key_is_soft(enum pkg_key key);
/* The dependencies in one field of package `of`, NULL: none. */
bool removal_tree(const struct removal_index *x, size_t of, enum pkg_key key,
	const struct dep **out, struct err *e);

/* depclean_order.c: fill out->remove from out->kept. */
bool depclean_order(const struct removal_index *x, struct depclean *out, struct err *e);

#endif
