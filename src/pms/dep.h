#ifndef PMS_DEP_H
#define PMS_DEP_H

#include "atom.h"
#include "err.h"
#include "map.h"
#include "mem.h"
#include "str.h"

/*
 * Dependency-like strings (PMS chapter 8): *DEPEND, SRC_URI, LICENSE, PROPERTIES, RESTRICT,
 * REQUIRED_USE. One tree for all of them.
 */
enum dep_kind {
	DEP_ATOM, /* an atom; `atom` is set */
	DEP_WORD, /* any other token: URI, file name, licence, flag */
	DEP_ARROW, /* "->" in SRC_URI */
	DEP_ALL, /* ( … ) */
	DEP_ANY, /* || ( … ) */
	DEP_ONE, /* ^^ ( … ) */
	DEP_AT_MOST_ONE, /* ?? ( … ) */
	DEP_USE, /* flag? ( … ), !flag? ( … ) */
};

struct dep {
	enum dep_kind kind;
	bool negated; /* DEP_USE: "!flag?"; DEP_WORD in REQUIRED_USE: "!flag" */
	struct str text; /* the token; the flag alone for DEP_USE and in REQUIRED_USE */
	const struct atom *atom;
	const struct dep *child; /* of groups */
	const struct dep *next; /* sibling */
};

enum dep_syntax {
	DEP_OF_ATOMS, /* *DEPEND */
	DEP_OF_WORDS, /* LICENSE, PROPERTIES, RESTRICT; any-of allowed */
	DEP_OF_URIS, /* SRC_URI: arrows, no any-of */
	DEP_OF_FLAGS, /* REQUIRED_USE: all operators, empty groups, !flag */
};

/* Nesting that is accepted; beyond it the string is refused rather than the stack overrun. */
#define DEP_MAX_DEPTH 1000

/*
 * Parse a string into a list of siblings, NULL for an empty string. Everything is the arena's; the
 * slices are parts of text. False with *e filled (ERR_CONFLICT) on failure: the message names the
 * token and its number, counting from 1. atom_flags: see atom_parse.
 */
struct dep_parse {
	enum dep_syntax syntax;
	struct str eapi; /* empty: any */
	unsigned atom_flags;
	/*
	 * Atoms parsed before, by their text: for one EAPI and one set of flags only, and in the
	 * same arena. NULL: none.
	 */
	struct map *atoms;
};
bool dep_parse(struct arena *a, struct str text, const struct dep_parse *how,
	const struct dep **out, struct err *e);

/* Append the tree as PMS text. */
void dep_print(const struct dep *d, struct buf *out);

/* A list as Portage's use_reduce gives it: tokens and lists of them. */
struct rnode {
	struct str token; /* when it is not a list; as written unless `atom` is set */
	const struct dep
		*dep; /* where the token comes from; NULL for the empty any-of's stand-in */
	const struct atom *atom; /* evaluated unless matchall; NULL when the token is no atom */
	struct rlist *list; /* NULL: a token */
};
struct rlist {
	struct rnode *v;
	size_t n, cap;
};

/* A set of flags given by a caller. */
struct flag_list {
	const struct str *v;
	size_t n;
};
bool flag_list_has(const struct flag_list *l, struct str flag);
/* The same with the signature of flag_on (atom.h); ctx is a struct flag_list. */
bool flag_list_on(const void *list, struct str flag);

/* What decides the conditionals of a reduction. */
struct reduce {
	flag_on *on; /* NULL: nothing is on */
	const void *on_ctx;
	flag_on *valid; /* is the flag in IUSE_EFFECTIVE? NULL: any well-formed flag is */
	const void *valid_ctx;
	struct flag_list masked; /* always off */
	struct flag_list excluded; /* "!flag?" is never active */
	bool matchall, matchnone; /* every condition holds, or none */
	bool flat; /* one list, brackets dropped */
	bool opconvert; /* operators become the first item of their list */
	bool empty_any_is_false; /* EAPI 7 on: an emptied || ( ) cannot be satisfied */
};

/*
 * Reduce a tree of the syntaxes DEP_OF_ATOMS, _WORDS or _URIS as Portage's use_reduce does, removal
 * of redundant brackets included. Lists are the arena's. False with *e filled when a flag is not
 * valid, or when flat and opconvert exclude each other.
 */
bool dep_reduce(struct arena *a, const struct dep *d, const struct reduce *how, struct rlist **out,
	struct err *e);
/* Append the list as JSON. */
void rlist_json(const struct rlist *l, struct buf *out);

#endif
