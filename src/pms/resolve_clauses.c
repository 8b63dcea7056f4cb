#include "resolve_oracle.h"

/* Who a dependency belongs to, and what to say of it. */
struct source {
	struct cand *c;
	const struct dep *top;
};

static int all(struct oracle *o, int a, int b)
{
	return -oracle_either(o, -a, -b);
}

/* May the flag be changed for what asks for it? It may from the next oracle on. */
static void demand(struct oracle *o, const struct cand *c, struct str flag)
{
	const struct iuse *known = pkg_iuse(c->pkg, flag);
	struct demand_set *d = o->demands;
	if (c->pkg->kind == PKG_INSTALLED || known == NULL || known->forced || known->masked ||
		o->r->in->opts.keep_use)
		return;
	const char *key = arena_printf(&d->a, "%.*s/%.*s::%.*s %.*s", STR_ARG(c->pkg->cat),
		STR_ARG(c->pkg->pf), STR_ARG(c->pkg->repo_name), STR_ARG(flag));
	if (map_get(&d->flags, str_of(key)) != NULL)
		return;
	map_set(&d->flags, str_of(key), d);
	o->demands_grew = true;
}

/* When a flag has to be on, and when off. */
struct needed {
	int on, off;
};

static struct needed needed_of(
	const struct oracle *o, const struct cand *parent, const struct use_dep *u)
{
	int t = o->truth, p = parent != NULL ? encode_flag(o, parent, u->flag) : 0;
	switch (u->kind) {
	case USE_DEP_ON:
		return (struct needed){ t, -t };
	case USE_DEP_OFF:
		return (struct needed){ -t, t };
	case USE_DEP_EQUAL:
		return p != 0 ? (struct needed){ p, -p } : (struct needed){ -t, -t };
	case USE_DEP_NOT_EQUAL:
		return p != 0 ? (struct needed){ -p, p } : (struct needed){ -t, -t };
	case USE_DEP_IF_ON:
		return (struct needed){ p != 0 ? p : -t, -t };
	case USE_DEP_IF_OFF:
		return (struct needed){ -t, p != 0 ? -p : -t };
	}
	return (struct needed){ -t, -t };
}

/* A literal that says that the candidate's flag is as it has to be. */
static int flag_fits(
	struct oracle *o, const struct cand *parent, const struct cand *c, const struct use_dep *u)
{
	struct needed n = needed_of(o, parent, u);
	int is = encode_flag(o, c, u->flag);
	if (!pkg_flag_valid(c->pkg, u->flag)) {
		if (u->missing == '\0')
			return -o->truth;
		is = u->missing == '+' ? o->truth : -o->truth;
	} else if ((is == o->truth && n.off != -o->truth) ||
		   (is == -o->truth && n.on != -o->truth)) {
		demand(o, c, u->flag);
	}
	return all(o, oracle_either(o, -n.on, is), oracle_either(o, -n.off, -is));
}

static int option_lit(
	struct oracle *o, const struct cand *parent, const struct cand *c, const struct atom *atom)
{
	const struct atom *written = atom->unevaluated != NULL ? atom->unevaluated : atom;
	int lit = o->truth;
	for (size_t i = 0; i < written->n_use; i++) {
		if (written->use[i].missing == '\0' &&
			!pkg_flag_valid(c->pkg, written->use[i].flag))
			return -o->truth;
	}
	for (size_t i = 0; i < atom->n_use; i++)
		lit = all(o, lit, flag_fits(o, parent, c, &atom->use[i]));
	return all(o, lit, c->var);
}

static void add_options(
	struct oracle *o, struct wish *w, const struct cand *parent, const struct cand_list *l)
{
	VEC(int) lits = { 0 };
	w->lit = sat_var(o->sat, false);
	vec_push(&lits, -w->lit);
	for (size_t i = 0; i < l->list.n; i++) {
		struct cand *c = l->list.v[i];
		if (!atom_match_but_use(w->atom, c->pkg))
			continue;
		int lit = option_lit(o, parent, c, w->atom);
		if (lit == -o->truth)
			continue;
		const int up[] = { w->lit, -lit };
		vec_push(&w->options, (struct option){ c, lit });
		vec_push(&lits, lit);
		sat_clause(o->sat, up, 2);
		encode_ask(o, c);
	}
	sat_clause(o->sat, lits.v, lits.n);
	vec_fini(&lits);
}

struct wish *encode_wish(struct oracle *o, const struct cand *parent, const struct atom *atom)
{
	struct buf key = BUF_INIT;
	bool open = parent != NULL && parent->flips.n > 0 && atom->use_conditional;
	if (parent != NULL && !open)
		atom = atom_evaluate(&o->a, atom, pkg_flag_on_cb, parent->pkg);
	atom_print(atom, &key);
	/* What its flags default to counts where one of them is not asked for any more. */
	if (atom->unevaluated != NULL) {
		buf_addc(&key, ' ');
		atom_print(atom->unevaluated, &key);
	}
	struct wish *w = open ? NULL : map_get(&o->wishes, (struct str){ key.p, key.n });
	if (w == NULL) {
		w = arena_calloc(&o->a, 1, sizeof *w);
		w->atom = atom;
		vec_push(&o->all_wishes, w);
		if (!open)
			map_set(&o->wishes, str_of(arena_strndup(&o->a, buf_str(&key), key.n)), w);
		add_options(o, w, open ? parent : NULL, encode_name(o, atom->cp));
	}
	buf_fini(&key);
	return w;
}

/* The packages that a blocker of the candidate names. */
static int block_lit(struct oracle *o, const struct source *s, const struct atom *atom)
{
	const struct cand_list *l = encode_name(o, atom->cp);
	int lit = o->truth;
	for (size_t i = 0; i < l->list.n; i++) {
		const struct cand *c = l->list.v[i];
		if (c == s->c || resolve_same_slot(c->pkg, s->c->pkg) || !atom_match(atom, c->pkg))
			continue;
		const int lits[] = { -s->c->var, -c->var };
		if (s->top->kind != DEP_ATOM)
			lit = all(o, lit, -c->var);
		else
			encode_rule(o,
				(struct fact){ .kind = FACT_BLOCKS,
					.of = s->c->pkg,
					.other = c->pkg,
					.node = s->top },
				lits, 2);
	}
	return lit;
}

static int node_lit(struct oracle *o, const struct source *s, const struct dep *d);

static int condition(const struct oracle *o, const struct source *s, const struct dep *d)
{
	int on = encode_flag(o, s->c, d->text);
	return d->negated ? -on : on;
}

static int all_lit(struct oracle *o, const struct source *s, const struct dep *d)
{
	int lit = o->truth;
	for (; d != NULL; d = d->next)
		lit = all(o, lit, node_lit(o, s, d));
	return lit;
}

/* Alternatives whose condition does not hold are none. */
static int any_lit(struct oracle *o, const struct source *s, const struct dep *d)
{
	int none = -o->truth, lit = none, left = none;
	bool may_be_empty = s->c->pkg->eapi.n == 1 && s->c->pkg->eapi.p[0] < '7';
	for (; d != NULL; d = d->next) {
		int holds = d->kind == DEP_USE ? condition(o, s, d) : o->truth;
		left = oracle_either(o, left, holds);
		if (holds != -o->truth)
			lit = oracle_either(o, lit, all(o, holds, node_lit(o, s, d)));
	}
	return may_be_empty ? oracle_either(o, lit, -left) : lit;
}

static int node_lit(struct oracle *o, const struct source *s, const struct dep *d)
{
	int active;
	switch (d->kind) {
	case DEP_ATOM:
		if (d->atom->block != ATOM_NO_BLOCK)
			return s->c->pkg->kind == PKG_INSTALLED ? o->truth
								: block_lit(o, s, d->atom);
		if (config_provided(o->r->in->config, d->atom))
			return o->truth;
		return encode_wish(o, s->c, d->atom)->lit;
	case DEP_ALL:
		return all_lit(o, s, d->child);
	case DEP_ANY:
	case DEP_ONE:
		return any_lit(o, s, d->child);
	case DEP_USE:
		active = condition(o, s, d);
		if (active == -o->truth)
			return o->truth;
		return oracle_either(o, -active, all_lit(o, s, d->child));
	default:
		return o->truth;
	}
}

static void need(struct oracle *o, const struct source *s)
{
	const int lits[] = { -s->c->var, node_lit(o, s, s->top) };
	if (lits[1] != o->truth)
		encode_rule(o, (struct fact){ .kind = FACT_NEEDS, .of = s->c->pkg, .node = s->top },
			lits, 2);
}

/* What a package that would be merged depends on. */
static void needs_of(struct oracle *o, struct cand *c)
{
	for (enum pkg_key key = PKG_DEPEND; key < PKG_DEPS; key++) {
		const struct dep *tree = NULL;
		struct err why = ERR_INIT;
		if (!pkg_deps(&o->r->in->repos->arena, c->pkg, key, &tree, &why)) {
			const int lits[] = { -c->var };
			encode_rule(o,
				(struct fact){ .kind = FACT_FORBIDDEN,
					.text = arena_strdup(&o->a, why.message) },
				lits, 1);
			return;
		}
		for (; tree != NULL; tree = tree->next)
			need(o, &(struct source){ c, tree });
	}
}

/* Would every package of the name do for the needs that the installed ones have of it? */
static bool is_safe(
	struct oracle *o, const struct need *n, const struct dep *d, const struct cand_list *l)
{
	struct arena a = ARENA_INIT;
	bool safe = true;
	for (const struct dep *c = d->child; c != NULL && safe; c = c->next)
		safe = is_safe(o, n, c, l);
	for (size_t i = 0; d->atom != NULL && i < l->list.n && safe; i++) {
		const struct pkg *p = l->list.v[i]->pkg;
		if (!str_eq(p->cp, d->atom->cp) || d->atom->block != ATOM_NO_BLOCK ||
			l->list.v[i]->flips.n > 0)
			safe = l->list.v[i]->flips.n == 0;
		else
			safe = atom_match(atom_evaluate(&a, d->atom, pkg_flag_on_cb, n->of), p);
	}
	arena_fini(&a);
	return safe;
}

/* An installed package that stays keeps out what it blocks and is not there yet. */
static void blocked_by_installed(
	struct oracle *o, const struct need *block, const struct cand_list *l)
{
	encode_name(o, block->of->cp);
	const struct cand *by = block->of->user;
	for (size_t i = 0; i < l->list.n; i++) {
		const struct cand *c = l->list.v[i];
		const int lits[] = { -by->var, -c->var };
		if (c->pkg->kind == PKG_INSTALLED || resolve_same_slot(c->pkg, by->pkg) ||
			!atom_match(block->node->atom, c->pkg))
			continue;
		encode_rule(o,
			(struct fact){ .kind = FACT_BLOCKS,
				.of = by->pkg,
				.other = c->pkg,
				.node = block->node },
			lits, 2);
	}
}

/* Needs of installed packages that hold now must hold in the end, or the package must go. */
static void needs_on(struct oracle *o, const struct cand *c)
{
	struct cand_list *l = map_get(&o->names, c->pkg->cp);
	const struct by_name *n = resolve_name(o->r, c->pkg->cp);
	if (l->needs_done)
		return;
	l->needs_done = true;
	for (size_t i = 0; i < n->needs.n; i++) {
		const struct need *need_of = &n->needs.v[i];
		if (is_safe(o, need_of, need_of->node, l) || !resolve_need_holds(o->r, need_of))
			continue;
		encode_name(o, need_of->of->cp);
		vec_push(&o->risks, *need_of);
		need(o, &(struct source){ need_of->of->user, need_of->node });
	}
	for (size_t i = 0; i < n->blocks.n; i++)
		blocked_by_installed(o, &n->blocks.v[i], l);
}

void encode_waiting(struct oracle *o)
{
	for (size_t i = 0; i < o->waiting.n && o->e.code == ERR_NONE; i++) {
		struct cand *c = o->waiting.v[i];
		needs_on(o, c);
		if (c->pkg->kind != PKG_INSTALLED)
			needs_of(o, c);
	}
	o->waiting.n = 0;
}
