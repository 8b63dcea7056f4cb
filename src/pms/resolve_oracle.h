#ifndef PMS_RESOLVE_ORACLE_H
#define PMS_RESOLVE_ORACLE_H

#include "resolve_int.h"
#include "sat.h"

/*
 * All that could be installed, as clauses: a variable for each package version and each installed
 * package says that it is there in the end. Names are looked at when something asks for them.
 */

/* A flag that may be set otherwise than the configuration says. */
struct flip {
	struct iuse *flag;
	int var; /* it is */
};

/* A package that may be there in the end; pkg->user points to it. */
struct cand {
	struct pkg *pkg;
	struct pkg *beside; /* what is installed in its slot, or NULL; not for installed ones */
	enum grade grade;
	int var;
	bool asked; /* its dependencies are clauses, or waiting to be */
	VEC(struct flip) flips;
};

/* A package that an atom matches. */
struct option {
	struct cand *cand;
	int lit; /* it is there and has the flags that the atom asks for */
};

/* An atom, with its conditional flags decided. */
struct wish {
	const struct atom *atom;
	int lit; /* holds only if an option does */
	VEC(struct option) options; /* by version, the highest first; installed ones last */
};

enum fact_kind {
	FACT_REQUEST, /* wish was asked for */
	FACT_NEEDS, /* of needs node */
	FACT_BLOCKS, /* of says that node and other exclude each other */
	FACT_STAYS, /* of is installed: it stays, or another version takes its place */
	FACT_FORBIDDEN, /* text */
};

/* Why a clause is there. */
struct fact {
	enum fact_kind kind;
	const struct pkg *of, *other;
	const struct atom *atom;
	const struct dep *node;
	const char *text;
	int sel; /* assumed: the fact counts; 0 where no explanation is asked for */
	bool guilty;
};

/* No masked package, no keyword, no other flag than configured, nothing installed gets older. */
enum soft { SOFT_MASK, SOFT_KEYWORD, SOFT_FLAG, SOFT_DOWNGRADE, SOFT_KINDS };

struct oracle {
	struct resolver *r;
	struct arena a;
	struct sat *sat;
	bool explain; /* give each fact a variable of its own */
	int truth; /* a literal that is true */
	struct map names; /* cat/pn -> struct cand_list */
	struct map wishes; /* evaluated atom -> struct wish */
	VEC(struct cand *) cands, waiting;
	VEC(struct wish *) all_wishes;
	VEC(struct fact) facts;
	/* Literals that are to be true if that is possible, the earlier kinds first. */
	VEC(int) soft[SOFT_KINDS];
	size_t settled[SOFT_KINDS]; /* of those, how many were decided */
	VEC(struct need) risks; /* needs of installed packages that the list could break */
	VEC(int) trail; /* what was decided */
	struct demand_set *demands;
	bool demands_grew; /* all has to be built again, with the flags that were asked for */
	struct err e; /* the world failed */
};

/* Packages of one name that may be there. */
struct cand_list {
	VEC(struct cand *) list;
	bool needs_done;
};

/* Flags that dependencies ask for otherwise than they are; outlives oracles. */
struct demand_set {
	struct map flags; /* "cat/pf::repo flag" */
	struct arena a;
	VEC(struct forbidden {
		const char *text;
		int n;
		struct pkg **of;
	})
	forbidden;
};

struct oracle *oracle_new(struct resolver *r, struct demand_set *d, bool explain);
void oracle_free(struct oracle *o);
/* Forget what was decided; is there a solution at all? */
bool oracle_begin(struct oracle *o);
/* Decide that the literal is true, if a solution is left then. */
bool oracle_try(struct oracle *o, int lit);
/* The packages that the atom, its conditional flags decided, matches. */
struct wish *oracle_wish(struct oracle *o, const struct atom *atom);
/* A literal that is true only if the reduced dependency holds. */
int oracle_node(struct oracle *o, const struct rnode *n);
/* A literal that is true if one of two is. */
int oracle_either(struct oracle *o, int a, int b);
/* Decide the flags of a taken package; those that differ from the configuration become lines. */
void oracle_flags(struct oracle *o, struct pkg *p);
/* These packages cannot be had together, for the reason of the text. */
void oracle_forbid(struct demand_set *d, const struct pkg *const *of, size_t n, const char *text);

/* resolve_encode.c */
struct cand_list *encode_name(struct oracle *o, struct str cp);
void encode_requests(struct oracle *o);
void encode_waiting(struct oracle *o);
void encode_forbidden(struct oracle *o);
void encode_ask(struct oracle *o, struct cand *c);
void encode_rule(struct oracle *o, struct fact f, const int *lits, size_t n);
/* encode_wish: for a parent whose flags are open, each time anew. */
struct wish *encode_wish(struct oracle *o, const struct cand *parent, const struct atom *atom);
int encode_flag(const struct oracle *o, const struct cand *c, struct str flag);

/* resolve_explain.c: after oracle_begin was false. */
bool resolve_explain(
	struct resolver *r, struct demand_set *d, const struct err *first, struct err *e);

#endif
