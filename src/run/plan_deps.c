#include "plan_graph.h"

#include "atom.h"
#include "dep.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The dependency fields and what each asks for. */
enum field { FIELD_DEPEND, FIELD_BDEPEND, FIELD_RDEPEND, FIELD_PDEPEND, FIELD_COUNT };

static const char *const field_name[] = { "DEPEND", "BDEPEND", "RDEPEND", "PDEPEND" };

static const char *field_text(const struct pkg_meta *m, enum field f)
{
	const char *texts[] = { m->depend, m->bdepend, m->rdepend, m->pdepend };
	return texts[f] != NULL ? texts[f] : "";
}

/* One node's field being looked at. */
struct look {
	struct graph *g;
	size_t node;
	enum field field;
	/* What to do with an atom that has to hold. */
	bool (*want)(struct look *l, const struct atom *atom, struct err *e);
};

static const struct stage *stage_of(const struct graph *g, size_t node)
{
	return &g->stages[g->nodes.v[node].stage];
}

/* How well a node of the same root suits as a dependency of `of`: its own stage, then the latest
 * of the earlier ones, then the first of the later ones. Smaller is better. */
static size_t distance(const struct graph *g, size_t of, size_t candidate)
{
	size_t mine = g->nodes.v[of].stage, its = g->nodes.v[candidate].stage;
	return its <= mine ? mine - its : g->n_stages + its;
}

/* The best node in root behind `after` (in the order of distance) that matches, or SIZE_MAX. */
static size_t next_match(
	const struct look *l, const char *root, const struct atom *atom, size_t after)
{
	const struct graph *g = l->g;
	size_t best = SIZE_MAX;
	size_t floor = after != SIZE_MAX ? distance(g, l->node, after) : 0;
	for (size_t i = 0; i < g->nodes.n; i++) {
		size_t d = distance(g, l->node, i);
		bool later = after == SIZE_MAX || d > floor || (d == floor && i > after);
		if (!later || strcmp(stage_of(g, i)->root, root) != 0)
			continue;
		if (best != SIZE_MAX && d >= distance(g, l->node, best))
			continue;
		if (atom_match(atom, &g->nodes.v[i].pkg))
			best = i;
	}
	return best;
}

static bool installed(const struct graph *g, const char *root, const struct atom *atom)
{
	char *text = xstrndup(atom->text.p, atom->text.n);
	bool there =
		g->source->installed != NULL && g->source->installed(g->source->ctx, root, text);
	free(text);
	return there;
}

/* The i-th root where the field is looked up, NULL behind the last. */
static const char *look_root(const struct look *l, size_t i)
{
	const struct stage *s = stage_of(l->g, l->node);
	if (l->field != FIELD_BDEPEND)
		return i == 0 ? s->root : NULL;
	return s->broots != NULL ? s->broots[i] : NULL;
}

static bool is_met(const struct look *l, const struct atom *atom)
{
	const char *root;
	for (size_t i = 0; (root = look_root(l, i)) != NULL; i++) {
		if (next_match(l, root, atom, SIZE_MAX) != SIZE_MAX || installed(l->g, root, atom))
			return true;
	}
	return false;
}

static bool group_is_met(const struct look *l, const struct rnode *n)
{
	if (n->list == NULL)
		return n->atom == NULL || n->atom->block != ATOM_NO_BLOCK || is_met(l, n->atom);
	for (size_t i = 0; i < n->list->n; i++) {
		if (!group_is_met(l, &n->list->v[i]))
			return false;
	}
	return true;
}

static bool is_operator(const struct rlist *list, const char *op)
{
	return list->n > 0 && list->v[0].list == NULL && str_is(list->v[0].token, op);
}

static bool follow(struct look *l, const struct rnode *n, struct err *e);

/* Of any-of the first alternative that is met, else the first. list->v[0] is the operator. */
static bool follow_any(struct look *l, const struct rlist *list, struct err *e)
{
	size_t pick = 1;
	while (pick < list->n && !group_is_met(l, &list->v[pick]))
		pick++;
	if (pick == list->n)
		pick = 1;
	return pick >= list->n || follow(l, &list->v[pick], e);
}

/* Follow one entry of a reduced dependency: its atoms are wanted. */
static bool follow(struct look *l, const struct rnode *n, struct err *e)
{
	const struct rlist *list = n->list;
	if (list == NULL)
		return n->atom == NULL || n->atom->block != ATOM_NO_BLOCK || l->want(l, n->atom, e);
	if (is_operator(list, "??"))
		return true;
	if (is_operator(list, "||") || is_operator(list, "^^"))
		return follow_any(l, list, e);
	for (size_t i = 0; i < list->n; i++) {
		if (!follow(l, &list->v[i], e))
			return false;
	}
	return true;
}

static bool follow_field(struct look *l, struct err *e)
{
	struct graph *g = l->g;
	/* The nodes may move while new ones are added; what they point to does not. */
	struct pkg pkg = g->nodes.v[l->node].pkg;
	const char *id = g->nodes.v[l->node].id;
	const struct dep_parse how = { .syntax = DEP_OF_ATOMS };
	const struct reduce reduce = { .on = pkg_flag_on_cb, .on_ctx = &pkg, .opconvert = true };
	struct str text = str_of(field_text(&g->nodes.v[l->node].meta, l->field));
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	if (!dep_parse(g->arena, text, &how, &tree, e) ||
		!dep_reduce(g->arena, tree, &reduce, &list, e))
		return err_in(e, "%s: %s", id, field_name[l->field]);
	struct rnode top = { .list = list };
	return list == NULL || follow(l, &top, e);
}

/* Find the package for an atom and add it to a stage. */
static bool add_package(
	struct graph *g, size_t stage, const char *atom, size_t *index, struct err *e)
{
	struct pkg_meta m = { 0 };
	const struct plan_query query = { &g->stages[stage], atom, g->arena };
	if (!g->source->find(g->source->ctx, &query, &m, e))
		return false;
	*index = graph_add(g, stage, &m);
	struct node *n = &g->nodes.v[*index];
	return plan_pkg(g->arena, &n->meta, &n->pkg, e);
}

static bool has_root(const char *const *roots, const char *root)
{
	for (size_t i = 0; roots != NULL && roots[i] != NULL; i++) {
		if (strcmp(roots[i], root) == 0)
			return true;
	}
	return false;
}

/* First pass: what is needed and nowhere planned or installed becomes a step of the same stage. */
static bool want_node(struct look *l, const struct atom *atom, struct err *e)
{
	struct graph *g = l->g;
	const struct stage *s = stage_of(g, l->node);
	if (is_met(l, atom))
		return true;
	if (l->field == FIELD_BDEPEND && s->host_tools)
		return true;
	const char *id = g->nodes.v[l->node].id;
	char *text = arena_strndup(g->arena, atom->text.p, atom->text.n);
	if (l->field == FIELD_BDEPEND && !has_root(s->broots, s->root))
		return err_set(e, ERR_CONFLICT, "plan.unmet",
			"%s needs %s to be built, which no stage puts where stage %s looks for "
			"tools; add it to a stage before",
			id, text, s->name);
	size_t index;
	if (!add_package(g, g->nodes.v[l->node].stage, text, &index, e))
		return err_in(e, "%s needs %s (%s)", id, text, field_name[l->field]);
	strv_own(g->notes, xasprintf("%s was added: %s needs it", g->nodes.v[index].id, id));
	return true;
}

static bool add_nodes(struct graph *g, struct err *e)
{
	size_t index;
	for (size_t s = 0; s < g->n_stages; s++) {
		const char *const *atoms = g->stages[s].packages;
		for (size_t i = 0; atoms != NULL && atoms[i] != NULL; i++) {
			if (!add_package(g, s, atoms[i], &index, e))
				return err_in(e, "stage %s", g->stages[s].name);
		}
	}
	for (size_t i = 0; i < g->nodes.n; i++) {
		for (int f = 0; f < FIELD_COUNT; f++) {
			struct look l = { g, i, (enum field)f, want_node };
			if (!follow_field(&l, e))
				return false;
		}
	}
	return true;
}

/* Does the edge kind of a field make two steps wait, or is it given up for a cycle? */
static bool is_build(const struct look *l)
{
	return l->field == FIELD_DEPEND || l->field == FIELD_BDEPEND;
}

/*
 * Try an edge to each package that matches, the best first. True when one was made, or the atom is
 * installed; *first is the best one else, SIZE_MAX when nothing matches.
 */
static bool try_edges(struct look *l, const struct atom *atom, size_t *first)
{
	const char *root;
	*first = SIZE_MAX;
	for (size_t i = 0; (root = look_root(l, i)) != NULL; i++) {
		size_t to = next_match(l, root, atom, SIZE_MAX);
		for (; to != SIZE_MAX; to = next_match(l, root, atom, to)) {
			if (graph_edge(l->g, l->node, to, is_build(l) ? EDGE_BUILD : EDGE_RUN))
				return true;
			*first = *first == SIZE_MAX ? to : *first;
		}
		if (installed(l->g, root, atom))
			return true;
	}
	return false;
}

/*
 * Second pass: an edge to the best package that matches and makes no cycle. What is met only by a
 * package that waits for this one is a cycle: an error for build dependencies, a note for others.
 */
static bool want_edge(struct look *l, const struct atom *atom, struct err *e)
{
	struct graph *g = l->g;
	size_t first;
	if (try_edges(l, atom, &first) || first == SIZE_MAX)
		return true;
	if (l->field == FIELD_BDEPEND && stage_of(g, l->node)->host_tools)
		return true;
	/* A package that needs itself at run time is no cycle of steps. */
	if (!is_build(l) && first == l->node)
		return true;
	struct buf cycle = BUF_INIT;
	graph_print_cycle(g, l->node, first, &cycle);
	if (is_build(l))
		err_set(e, ERR_CONFLICT, "plan.cycle",
			"these steps wait for each other: %s (%s of the first names %.*s); build "
			"one of them in an earlier stage, or without the flag that asks for it",
			buf_str(&cycle), field_name[l->field], STR_ARG(atom->text));
	else
		strv_own(
			g->notes, xasprintf("run-time cycle, not waited for: %s", buf_str(&cycle)));
	buf_fini(&cycle);
	return !is_build(l);
}

static bool add_edges(struct graph *g, enum field f, struct err *e)
{
	for (size_t i = 0; i < g->nodes.n; i++) {
		struct look l = { g, i, f, want_edge };
		if (!follow_field(&l, e))
			return false;
	}
	return true;
}

static bool need_edge(struct graph *g, size_t from, size_t to, bool whole, struct err *e)
{
	if (graph_edge(g, from, to, whole ? EDGE_NEEDS : EDGE_TOOL))
		return true;
	struct buf cycle = BUF_INIT;
	graph_print_cycle(g, from, to, &cycle);
	err_set(e, ERR_CONFLICT, "plan.cycle",
		"the stages wait for each other: %s; see `needs` of stage %s", buf_str(&cycle),
		stage_of(g, from)->name);
	buf_fini(&cycle);
	return false;
}

/* Does the node fit "stage:cat/pn" or "stage:*"? */
static bool fits_need(const struct graph *g, size_t node, struct str stage, struct str what)
{
	return str_is(stage, stage_of(g, node)->name) &&
	       (str_is(what, "*") || str_eq(what, g->nodes.v[node].pkg.cp));
}

/* One entry of a stage's `needs`: an edge from each step of the stage to each that fits. */
static bool add_need(struct graph *g, size_t stage, const char *need, struct err *e)
{
	struct str what = str_of(need), name;
	bool found = false;
	str_split(&what, ':', &name);
	for (size_t to = 0; to < g->nodes.n; to++) {
		if (!fits_need(g, to, name, what))
			continue;
		found = true;
		for (size_t from = 0; from < g->nodes.n; from++) {
			if (g->nodes.v[from].stage == stage &&
				!need_edge(g, from, to, str_is(what, "*"), e))
				return false;
		}
	}
	return found || err_set(e, ERR_CONFLICT, "plan.needs",
				"stage %s needs \"%s\", but there is no such step",
				g->stages[stage].name, need);
}

static bool add_needs(struct graph *g, struct err *e)
{
	for (size_t s = 0; s < g->n_stages; s++) {
		const char *const *needs = g->stages[s].needs;
		for (size_t i = 0; needs != NULL && needs[i] != NULL; i++) {
			if (!add_need(g, s, needs[i], e))
				return false;
		}
	}
	return true;
}

/* A package built again into the same slot of the same root comes after its first build. */
static void add_replacements(struct graph *g)
{
	for (size_t i = 0; i < g->nodes.n; i++) {
		for (size_t j = 0; j < g->nodes.n; j++) {
			const struct node *old = &g->nodes.v[j], *now = &g->nodes.v[i];
			if (old->stage < now->stage && str_eq(old->pkg.cp, now->pkg.cp) &&
				str_eq(old->pkg.slot, now->pkg.slot) &&
				strcmp(stage_of(g, j)->root, stage_of(g, i)->root) == 0)
				graph_edge(g, i, j, EDGE_AFTER);
		}
	}
}

bool graph_build(struct graph *g, struct err *e)
{
	if (!add_nodes(g, e) || !add_needs(g, e))
		return false;
	add_replacements(g);
	/* PDEPEND only asks for a step to be there, which add_nodes() saw to. */
	return add_edges(g, FIELD_DEPEND, e) && add_edges(g, FIELD_BDEPEND, e) &&
	       add_edges(g, FIELD_RDEPEND, e);
}
