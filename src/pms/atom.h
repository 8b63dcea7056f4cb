#ifndef PMS_ATOM_H
#define PMS_ATOM_H

#include "err.h"
#include "mem.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

enum atom_op {
	ATOM_ANY, /* no version */
	ATOM_EQ, /* =v */
	ATOM_GLOB, /* =v*; with wildcard: =cat/pn-*part* */
	ATOM_TILDE, /* ~v */
	ATOM_LT,
	ATOM_LE,
	ATOM_GE,
	ATOM_GT,
};

enum atom_block { ATOM_NO_BLOCK, ATOM_WEAK_BLOCK, ATOM_STRONG_BLOCK };

/* The forms of a USE dependency (PMS 8.3.4). */
enum use_dep_kind {
	USE_DEP_ON, /* f */
	USE_DEP_OFF, /* -f */
	USE_DEP_EQUAL, /* f= */
	USE_DEP_NOT_EQUAL, /* !f= */
	USE_DEP_IF_ON, /* f? */
	USE_DEP_IF_OFF, /* !f? */
};

struct use_dep {
	struct str flag;
	enum use_dep_kind kind;
	char missing; /* '+' or '-': what it counts as where the package lacks it; '\0': not given
		       */
};

/* A package atom. Slices are parts of the text that was parsed, or of the arena. */
struct atom {
	struct str text; /* as written */
	struct str cp; /* "cat/pn" */
	struct str cat, pn;
	struct str version; /* with revision, without operator and '*'; empty for ATOM_ANY */
	struct str slot, subslot, repo; /* empty when not given */
	struct str build_id; /* digits of "-N" behind the version, empty when not given */
	struct use_dep *use;
	size_t n_use;
	enum atom_op op;
	enum atom_block block;
	char slot_op; /* '=', '*' or '\0' */
	bool wildcard; /* extended syntax: '*' in cat or pn, or =cat/pn-*part* */
	bool use_conditional; /* some USE dependency asks for the parent's USE */
	const struct atom
		*unevaluated; /* the atom this was evaluated from, NULL: it is the original */
};

enum atom_flag {
	ATOM_WILDCARDS = 1, /* user configuration and command line */
	ATOM_REPO = 2, /* ::repo is allowed whatever the EAPI says */
	ATOM_BUILD_ID = 4, /* =cat/pn-1.0-3: Portage's build ids */
	ATOM_PMS = 8, /* to the letter: no revision behind "~" */
	ATOM_USER = ATOM_WILDCARDS | ATOM_REPO | ATOM_BUILD_ID,
};

/*
 * Parse an atom that an EAPI (empty: any) allows. The atom and its USE dependencies are the
 * arena's; its slices are parts of text, which must live as long. NULL with *e filled on failure
 * (code ERR_CONFLICT); the message names the offending part.
 */
struct atom *atom_parse(
	struct arena *a, struct str text, struct str eapi, unsigned flags, struct err *e);

/* Append the atom in its canonical form. */
void atom_print(const struct atom *a, struct buf *out);
/* Append "op version", as in ">=1.2-r1" or "=3*"; nothing for ATOM_ANY. */
void atom_print_version(const struct atom *a, struct buf *out);
void use_dep_print(const struct use_dep *u, struct buf *out);

/* Asks whether the parent has a flag on. */
typedef bool flag_on(const void *ctx, struct str flag);
/*
 * The atom with its conditional USE dependencies decided by the parent's USE; the same atom when it
 * has none.
 */
const struct atom *atom_evaluate(
	struct arena *arena, const struct atom *a, flag_on *on, const void *ctx);

struct pkg;
/*
 * Does the package match (Portage's match_from_list)? Blocker marks are ignored; conditional USE
 * dependencies that were not evaluated are not looked at. A package whose slot or repository is
 * unknown (empty) matches any.
 */
bool atom_match(const struct atom *a, const struct pkg *p);
/* The same without looking at USE dependencies, or at them only. */
bool atom_match_but_use(const struct atom *a, const struct pkg *p);
bool atom_match_use(const struct atom *a, const struct pkg *p);
/* Does "cat/pn" fit the atom's, with its wildcards? */
bool atom_match_name(const struct atom *a, struct str cp);
/* Version and operator only. */
bool atom_match_version(const struct atom *a, struct str version);
/*
 * Index of the atom that fits the package most closely (portage-formats §6: package.use), n when
 * none matches.
 */
size_t atom_best_match(const struct atom *const *atoms, size_t n, const struct pkg *p);
/* Can some package match both? With wildcards the answer may be a false yes. */
bool atom_intersects(const struct atom *a, const struct atom *b);

#endif
