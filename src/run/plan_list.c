#include "plan_graph.h"

#include "atom.h"
#include "dep.h"
#include "map.h"

#include <string.h>

/* Packages of one name that came so far, the latest first. */
struct seen {
	size_t node;
	struct seen *older;
};

/* The walk over the list: atoms of `node` become edges to what was seen. */
struct list_walk {
	struct graph *g;
	struct map seen; /* "cat/pn" -> struct seen */
	size_t node;
	enum edge_kind kind;
};

/* Earlier nodes only: no cycle is possible, so none is looked for. */
static void add_edge(struct list_walk *w, size_t to)
{
	struct node *n = &w->g->nodes.v[w->node];
	for (size_t i = 0; i < n->edges.n; i++) {
		if (n->edges.v[i].to == to)
			return;
	}
	vec_push(&n->edges, (struct edge){ to, w->kind });
}

static void follow_atom(struct list_walk *w, const struct atom *atom)
{
	if (atom == NULL || atom->block != ATOM_NO_BLOCK)
		return;
	for (struct seen *s = map_get(&w->seen, atom->cp); s != NULL; s = s->older) {
		if (atom_match(atom, &w->g->nodes.v[s->node].pkg))
			add_edge(w, s->node);
	}
}

static bool follow_text(struct list_walk *w, const char *text, struct err *e)
{
	struct arena *a = w->g->arena;
	struct node *n = &w->g->nodes.v[w->node];
	const struct dep_parse how = { .syntax = DEP_OF_ATOMS };
	const struct reduce reduce = { .on = pkg_flag_on_cb, .on_ctx = &n->pkg, .flat = true };
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	if (!dep_parse(a, str_of(text != NULL ? text : ""), &how, &tree, e) ||
		!dep_reduce(a, tree, &reduce, &list, e))
		return err_in(e, "%s", n->id);
	for (size_t i = 0; list != NULL && i < list->n; i++)
		follow_atom(w, list->v[i].atom);
	return true;
}

static bool follow_node(struct list_walk *w, struct err *e)
{
	struct pkg_meta m = w->g->nodes.v[w->node].meta;
	w->kind = EDGE_BUILD;
	if (!follow_text(w, m.depend, e) || !follow_text(w, m.bdepend, e))
		return false;
	w->kind = EDGE_RUN;
	return follow_text(w, m.rdepend, e);
}

static bool add_edges(struct graph *g, struct err *e)
{
	struct list_walk w = { .g = g };
	bool ok = true;
	for (size_t i = 0; ok && i < g->nodes.n; i++) {
		struct str cp = g->nodes.v[i].pkg.cp;
		w.node = i;
		ok = follow_node(&w, e);
		struct seen *s = arena_alloc(g->arena, sizeof *s);
		*s = (struct seen){ i, map_get(&w.seen, cp) };
		map_set(&w.seen, cp, s);
	}
	map_fini(&w.seen);
	return ok;
}

bool plan_list(struct plan *p, const struct plan_packages *list, struct err *e)
{
	const struct stage stage = {
		.name = "emerge", .root = list->root, .tools_text = list->tools_text
	};
	struct graph g = {
		.arena = &p->arena, .stages = &stage, .n_stages = 1, .notes = &p->notes
	};
	bool ok = true;
	*p = PLAN_INIT;
	p->eprefix = arena_strdup(&p->arena, list->root);
	vec_push(&p->stages, stage.name);
	for (size_t i = 0; ok && i < list->n; i++) {
		size_t at = graph_add(&g, 0, &list->v[i]);
		ok = plan_pkg(&p->arena, &list->v[i], &g.nodes.v[at].pkg, e);
	}
	ok = ok && add_edges(&g, e);
	if (ok) {
		graph_steps(&g, p);
		plan_estimate(p, NULL);
	}
	graph_fini(&g);
	return ok;
}
