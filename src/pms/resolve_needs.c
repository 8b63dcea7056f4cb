#include "resolve_int.h"

/* What is asked for a package: with what is installed, with the list, or so loosely that building
 * the parent again would do. */
enum view { VIEW_NOW, VIEW_THEN, VIEW_REBUILT };

static bool is_there(const struct resolver *r, const struct atom *atom, enum view view)
{
	const struct by_name *n = map_get(&r->names, atom->cp);
	for (size_t i = 0; n != NULL && i < n->installed.n; i++) {
		const struct pkg *p = n->installed.v[i];
		bool goes = resolve_taken_slot(r, p) != NULL || r->removed[resolve_at(r, p)];
		if ((view == VIEW_NOW || !goes) && atom_match(atom, p))
			return true;
	}
	return (view != VIEW_NOW && resolve_taken(r, atom) != NULL) ||
	       config_provided(r->in->config, atom);
}

static bool atom_holds(
	const struct resolver *r, const struct pkg *of, const struct atom *atom, enum view view)
{
	struct arena a = ARENA_INIT;
	struct atom exact = *atom_evaluate(&a, atom, pkg_flag_on_cb, of);
	if (view == VIEW_REBUILT && exact.slot_op == '=')
		exact.subslot = STR("");
	bool yes = exact.block != ATOM_NO_BLOCK || is_there(r, &exact, view);
	arena_fini(&a);
	return yes;
}

static bool holds(
	const struct resolver *r, const struct pkg *of, const struct dep *d, enum view view)
{
	bool one = false, empty = true;
	switch (d->kind) {
	case DEP_ATOM:
		return atom_holds(r, of, d->atom, view);
	case DEP_USE:
		if (pkg_flag_on(of, d->text) == d->negated)
			return true;
		break;
	case DEP_ANY:
	case DEP_ONE:
		for (const struct dep *c = d->child; c != NULL; c = c->next) {
			if (c->kind == DEP_USE && pkg_flag_on(of, c->text) == c->negated)
				continue;
			empty = false;
			one = one || holds(r, of, c, view);
		}
		return one || empty;
	default:
		break;
	}
	for (const struct dep *c = d->child; c != NULL; c = c->next) {
		if (!holds(r, of, c, view))
			return false;
	}
	return true;
}

static void know(struct resolver *r, struct pkg *of, const struct dep *top, const struct dep *d)
{
	for (const struct dep *c = d->child; c != NULL; c = c->next)
		know(r, of, top, c);
	if (d->atom == NULL)
		return;
	struct by_name *n = resolve_name(r, d->atom->cp);
	if (d->atom->block != ATOM_NO_BLOCK) {
		if (d == top)
			vec_push(&n->blocks, (struct need){ of, top });
		return;
	}
	if (n->needs.n == 0 || n->needs.v[n->needs.n - 1].node != top)
		vec_push(&n->needs, (struct need){ of, top });
}

void resolve_know_needs(struct resolver *r)
{
	static const enum pkg_key keys[] = { PKG_RDEPEND, PKG_PDEPEND };
	for (size_t i = 0; i < r->in->n_installed && !r->needs_known; i++) {
		struct pkg *p = &r->in->installed[i];
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			const struct dep *tree = NULL;
			struct err ignored = ERR_INIT; /* an old record that nobody can read */
			if (!pkg_deps(&r->in->repos->arena, p, keys[k], &tree, &ignored))
				continue;
			for (; tree != NULL; tree = tree->next)
				know(r, p, tree, tree);
		}
	}
	r->needs_known = true;
}

bool resolve_need_holds(const struct resolver *r, const struct need *n)
{
	return holds(r, n->of, n->node, VIEW_NOW);
}

bool resolve_need_will_hold(const struct resolver *r, const struct need *n)
{
	return resolve_taken_slot(r, n->of) != NULL || r->removed[resolve_at(r, n->of)] ||
	       holds(r, n->of, n->node, VIEW_THEN);
}

/* Could the package be built again as it is? */
static bool has_twin(struct resolver *r, const struct pkg *p, struct err *e)
{
	const struct atom atom = { .text = p->pf,
		.cp = p->cp,
		.cat = p->cat,
		.pn = p->pn,
		.version = p->version,
		.slot = p->slot,
		.op = ATOM_EQ };
	return resolve_findable(r, &atom, e);
}

static bool check_need(struct resolver *r, const struct need *n, const struct pkg *changed,
	bool *again, struct err *e)
{
	bool *rebuild = &r->rebuild[resolve_at(r, n->of)];
	if (r->in->opts.ignore_world || resolve_taken_slot(r, n->of) != NULL || *rebuild ||
		holds(r, n->of, n->node, VIEW_THEN) || !holds(r, n->of, n->node, VIEW_NOW))
		return true;
	if (holds(r, n->of, n->node, VIEW_REBUILT) && !resolve_is_excluded(r, n->of) &&
		has_twin(r, n->of, e))
		*rebuild = *again = true;
	if (*rebuild || e->code != ERR_NONE)
		return e->code == ERR_NONE;
	return err_set(e, ERR_CONFLICT, "resolve.needs",
		"%.*s/%.*s would break %.*s/%.*s, which is installed", STR_ARG(changed->cat),
		STR_ARG(changed->pf), STR_ARG(n->of->cat), STR_ARG(n->of->pf));
}

/* Something was relied on as it is installed, and then replaced. */
static bool kept_is_replaced(const struct resolver *r)
{
	for (size_t i = 0; i < r->kept.n; i++) {
		if (resolve_taken_slot(r, r->kept.v[i]) != NULL)
			return true;
	}
	return false;
}

static bool check_item(struct resolver *r, struct pkg *p, struct err *e)
{
	static const enum pkg_key keys[] = { PKG_RDEPEND, PKG_PDEPEND };
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		const struct dep *tree = NULL;
		if (!pkg_deps(&r->in->repos->arena, p, keys[k], &tree, e))
			return false;
		for (; tree != NULL; tree = tree->next) {
			if (!holds(r, p, tree, VIEW_THEN))
				return err_set(e, ERR_CONFLICT, "resolve.needs",
					"%.*s/%.*s would not have what it needs", STR_ARG(p->cat),
					STR_ARG(p->pf));
		}
	}
	return true;
}

bool resolve_check_needs(struct resolver *r, bool *again, struct err *e)
{
	bool check = kept_is_replaced(r) || r->out->removals.n > 0;
	for (size_t i = 0; i < r->out->list.n && check; i++) {
		if (!check_item(r, r->out->list.v[i].pkg, e))
			return false;
	}
	for (size_t i = 0; i < r->out->list.n; i++) {
		const struct resolve_item *item = &r->out->list.v[i];
		if (item->replaces == NULL)
			continue;
		resolve_know_needs(r);
		const struct by_name *n = resolve_name(r, item->pkg->cp);
		for (size_t k = 0; k < n->needs.n; k++) {
			if (!check_need(r, &n->needs.v[k], item->pkg, again, e))
				return false;
		}
	}
	return true;
}
