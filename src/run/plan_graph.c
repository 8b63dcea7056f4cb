#include "plan_graph.h"

#include <stdint.h>
#include <string.h>

void graph_fini(struct graph *g)
{
	for (size_t i = 0; i < g->nodes.n; i++)
		vec_fini(&g->nodes.v[i].edges);
	vec_fini(&g->nodes);
}

static bool same_package(const struct pkg_meta *a, const struct pkg_meta *b)
{
	return strcmp(a->category, b->category) == 0 && strcmp(a->pn, b->pn) == 0 &&
	       strcmp(a->pvr, b->pvr) == 0;
}

size_t graph_add(struct graph *g, size_t stage, const struct pkg_meta *m)
{
	for (size_t i = 0; i < g->nodes.n; i++) {
		const struct node *n = &g->nodes.v[i];
		if (n->stage == stage && same_package(&n->meta, m))
			return i;
	}
	const char *id = arena_printf(
		g->arena, "%s:%s/%s-%s", g->stages[stage].name, m->category, m->pn, m->pvr);
	vec_push(&g->nodes, (struct node){ .stage = stage, .meta = *m, .id = id });
	return g->nodes.n - 1;
}

/*
 * A walk from one node along its edges, each node once. came[i] is the node from which i was
 * reached, SIZE_MAX where it was not. Breadth first, so that a printed cycle is a shortest one.
 */
static size_t *walk(const struct graph *g, size_t from)
{
	size_t *came = xmalloc(g->nodes.n * sizeof *came);
	size_t *queue = xmalloc(g->nodes.n * sizeof *queue);
	size_t head = 0, tail = 0;
	memset(came, 0xff, g->nodes.n * sizeof *came);
	came[from] = from;
	queue[tail++] = from;
	while (head < tail) {
		size_t at = queue[head++];
		const struct node *n = &g->nodes.v[at];
		for (size_t i = 0; i < n->edges.n; i++) {
			size_t to = n->edges.v[i].to;
			if (came[to] != SIZE_MAX)
				continue;
			came[to] = at;
			queue[tail++] = to;
		}
	}
	free(queue);
	return came;
}

bool graph_reaches(const struct graph *g, size_t from, size_t to)
{
	size_t *came = walk(g, from);
	bool reached = came[to] != SIZE_MAX;
	free(came);
	return reached;
}

bool graph_edge(struct graph *g, size_t from, size_t to, enum edge_kind kind)
{
	if (from == to || graph_reaches(g, to, from))
		return false;
	struct node *n = &g->nodes.v[from];
	for (size_t i = 0; i < n->edges.n; i++) {
		if (n->edges.v[i].to != to)
			continue;
		/* One edge a pair, of the kind that counts for the key if there is one. */
		bool key = kind == EDGE_TOOL || kind == EDGE_BUILD;
		if (key)
			n->edges.v[i].kind = kind;
		return true;
	}
	vec_push(&n->edges, (struct edge){ to, kind });
	return true;
}

void graph_print_cycle(const struct graph *g, size_t from, size_t to, struct buf *out)
{
	buf_adds(out, g->nodes.v[from].id);
	if (from != to) {
		/* The way back from `to` to `from`, gathered from its end. */
		size_t *came = walk(g, to);
		VEC(size_t) way = { 0 };
		for (size_t at = came[from]; at != SIZE_MAX && at != to; at = came[at])
			vec_push(&way, at);
		buf_printf(out, " -> %s", g->nodes.v[to].id);
		while (way.n > 0)
			buf_printf(out, " -> %s", g->nodes.v[way.v[--way.n]].id);
		vec_fini(&way);
		free(came);
	}
	buf_printf(out, " -> %s", g->nodes.v[from].id);
}

void graph_order(const struct graph *g, size_t *order)
{
	size_t n = g->nodes.n, placed = 0;
	bool *done = xcalloc(n, sizeof *done);
	while (placed < n) {
		/* The first node that waits for nothing any more; there is one: no cycles. */
		for (size_t i = 0; i < n; i++) {
			const struct node *node = &g->nodes.v[i];
			bool ready = !done[i];
			for (size_t j = 0; ready && j < node->edges.n; j++)
				ready = done[node->edges.v[j].to];
			if (!ready)
				continue;
			done[i] = true;
			order[placed++] = i;
		}
	}
	free(done);
}
