#ifndef RUN_PLAN_GRAPH_H
#define RUN_PLAN_GRAPH_H

#include "pkg.h"
#include "plan.h"

/* The planner's workshop: packages as nodes, what must be merged before what as edges. */

/* Why one node waits for another. */
enum edge_kind {
	EDGE_NEEDS, /* the stage says so, for all of a stage: order only */
	EDGE_TOOL, /* the stage names this step: it decides the result, too */
	EDGE_BUILD, /* DEPEND, BDEPEND */
	EDGE_AFTER, /* replaces what an earlier stage put into the same slot */
	EDGE_RUN, /* RDEPEND: given up where it makes a cycle */
};

struct edge {
	size_t to; /* the node that must come first */
	enum edge_kind kind;
};

struct node {
	size_t stage;
	struct pkg_meta meta;
	struct pkg pkg; /* what atoms are matched against */
	const char *id;
	VEC(struct edge) edges;
};

struct graph {
	struct arena *arena;
	const struct stage *stages;
	size_t n_stages;
	const struct plan_source *source;
	struct strv *notes;
	VEC(struct node) nodes;
};

void graph_fini(struct graph *g);
/* Add the package as a node of the stage unless it is there; returns its index. */
size_t graph_add(struct graph *g, size_t stage, const struct pkg_meta *m);
/* Does `from` wait for `to`, directly or not? */
bool graph_reaches(const struct graph *g, size_t from, size_t to);
/*
 * Make `from` wait for `to`. False when that is a cycle; then nothing was added. A node never waits
 * for itself: false.
 */
bool graph_edge(struct graph *g, size_t from, size_t to, enum edge_kind kind);
/* Append "a -> b -> c -> a": the cycle that an edge from -> to would close. */
void graph_print_cycle(const struct graph *g, size_t from, size_t to, struct buf *out);
/* The nodes in an order in which each comes after all it waits for, stable otherwise. */
void graph_order(const struct graph *g, size_t *order);

/* Let p describe the package m: name, version, slot, repository, flags with their USE. */
bool plan_pkg(struct arena *a, const struct pkg_meta *m, struct pkg *p, struct err *e);

/* plan_deps.c: add the nodes of all stages and what they need, then all edges. */
bool graph_build(struct graph *g, struct err *e);

/* plan.c: the nodes as steps of p, in order, with their keys. */
void graph_steps(const struct graph *g, struct plan *p);

#endif
