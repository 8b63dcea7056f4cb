/*
 * Packages that wait for each other: a package needs its build dependencies, and what those need at
 * run time, before it can be built. A circle of run-time dependencies alone is no flaw.
 */
#include "repo_check_int.h"

#include <stdint.h>
#include <stdlib.h>

struct edge {
	size_t to;
	const char *field;
	bool build;
};

struct node {
	struct pkg *p;
	VEC(struct edge) edges;
	size_t from; /* of the search: the node before, + 1; 0: not reached */
	bool gone, told;
};

struct graph {
	struct checker *c;
	VEC(struct node) nodes;
	VEC(size_t) queue;
};

/* The node of a package, made when it is first seen; pkg.user is its index + 1. */
static size_t node_of(struct graph *g, struct pkg *p)
{
	if (p->user == NULL) {
		struct node n = { .p = p };
		vec_push(&g->nodes, n);
		p->user = (void *)(uintptr_t)g->nodes.n;
	}
	return (size_t)(uintptr_t)p->user - 1;
}

/* Is the condition true with the defaults of IUSE? */
static bool holds(const struct pkg *p, const struct dep *d)
{
	const struct iuse *flag = pkg_iuse(p, d->text);
	return (flag != NULL && flag->preset == '+') != d->negated;
}

/* Alternatives are left out: another choice may break the circle. */
static void add_edges(struct graph *g, size_t at, const struct dep *d, enum pkg_key key)
{
	for (; d != NULL; d = d->next) {
		struct pkg *p = g->nodes.v[at].p;
		if (d->kind == DEP_ALL || (d->kind == DEP_USE && holds(p, d)))
			add_edges(g, at, d->child, key);
		if (d->kind != DEP_ATOM || d->atom->block != ATOM_NO_BLOCK)
			continue;
		struct pkg *needs = check_match(g->c, d->atom);
		if (needs == NULL)
			continue;
		size_t to = node_of(g, needs);
		struct edge edge = { to, pkg_key_name(key), key != PKG_RDEPEND };
		vec_push(&g->nodes.v[at].edges, edge);
	}
}

static void fill(struct graph *g)
{
	static const enum pkg_key keys[] = { PKG_DEPEND, PKG_BDEPEND, PKG_RDEPEND };
	for (size_t i = 0; i < g->c->pkgs.n; i++)
		node_of(g, g->c->pkgs.v[i]);
	/* The list grows while packages of masters are met. */
	for (size_t i = 0; i < g->nodes.n; i++) {
		for (size_t k = 0; k < 3; k++) {
			struct err ignored = ERR_INIT;
			const struct dep *d;
			if (pkg_deps(&g->c->set->arena, g->nodes.v[i].p, keys[k], &d, &ignored))
				add_edges(g, i, d, keys[k]);
		}
	}
}

/* Take out, again and again, what waits for nothing that is left: the rest leads into circles. */
static void trim(struct graph *g)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < g->nodes.n; i++) {
			struct node *n = &g->nodes.v[i];
			bool waits = false;
			for (size_t k = 0; !n->gone && k < n->edges.n; k++)
				waits = waits || !g->nodes.v[n->edges.v[k].to].gone;
			changed = changed || (!n->gone && !waits);
			n->gone = n->gone || !waits;
		}
	}
}

/* Shortest way from one node to another; nodes[].from shows it backwards. */
static bool find_way(struct graph *g, size_t start, size_t goal)
{
	for (size_t i = 0; i < g->nodes.n; i++)
		g->nodes.v[i].from = 0;
	g->queue.n = 0;
	vec_push(&g->queue, start);
	g->nodes.v[start].from = start + 1;
	for (size_t at = 0; at < g->queue.n; at++) {
		size_t i = g->queue.v[at];
		if (i == goal)
			return true;
		for (size_t k = 0; k < g->nodes.v[i].edges.n; k++) {
			size_t to = g->nodes.v[i].edges.v[k].to;
			if (g->nodes.v[to].gone || g->nodes.v[to].from != 0)
				continue;
			g->nodes.v[to].from = i + 1;
			vec_push(&g->queue, to);
		}
	}
	return false;
}

static const char *field_between(const struct graph *g, size_t from, size_t to)
{
	const struct node *n = &g->nodes.v[from];
	size_t k = 0;
	while (n->edges.v[k].to != to)
		k++;
	return n->edges.v[k].field;
}

/* "a needs (BDEPEND) b needs (RDEPEND) c needs (DEPEND) a" */
static void tell(struct graph *g, size_t first, const struct edge *edge)
{
	VEC(size_t) way = { 0 };
	struct buf text = BUF_INIT;
	for (size_t i = first; i != edge->to; i = g->nodes.v[i].from - 1)
		vec_push(&way, i);
	vec_push(&way, edge->to);
	buf_printf(&text, "%s", check_cpv(g->c, g->nodes.v[first].p));
	for (size_t k = way.n, before = first; k-- > 0; before = way.v[k]) {
		buf_printf(&text, " needs (%s) %s",
			k + 1 == way.n ? edge->field : field_between(g, before, way.v[k]),
			check_cpv(g->c, g->nodes.v[way.v[k]].p));
		g->nodes.v[way.v[k]].told = true;
	}
	check_add(g->c, RFLAW_CYCLE, check_cpv(g->c, g->nodes.v[first].p),
		"cannot be built before itself: %s", buf_str(&text));
	buf_fini(&text);
	vec_fini(&way);
}

void check_cycles(struct checker *c)
{
	struct graph g = { .c = c };
	fill(&g);
	trim(&g);
	for (size_t i = 0; i < g.nodes.n; i++) {
		struct node *n = &g.nodes.v[i];
		for (size_t k = 0; n->p->repo == c->repo && !n->gone && k < n->edges.n; k++) {
			const struct edge *edge = &n->edges.v[k];
			if (edge->build && !n->told && !g.nodes.v[edge->to].gone &&
				find_way(&g, edge->to, i))
				tell(&g, i, edge);
		}
	}
	for (size_t i = 0; i < g.nodes.n; i++) {
		g.nodes.v[i].p->user = NULL;
		vec_fini(&g.nodes.v[i].edges);
	}
	vec_fini(&g.nodes);
	vec_fini(&g.queue);
}
