#include "resolve_oracle.h"

#include <stdlib.h>

struct oracle *oracle_new(struct resolver *r, struct demand_set *d, bool explain)
{
	struct oracle *o = xcalloc(1, sizeof *o);
	o->r = r;
	o->demands = d;
	o->explain = explain;
	o->sat = sat_new();
	o->truth = sat_var(o->sat, true);
	sat_clause(o->sat, &o->truth, 1);
	resolve_know_needs(r);
	encode_requests(o);
	encode_forbidden(o);
	encode_waiting(o);
	return o;
}

void oracle_free(struct oracle *o)
{
	if (o == NULL)
		return;
	for (size_t i = 0; i < o->cands.n; i++) {
		o->cands.v[i]->pkg->user = NULL;
		vec_fini(&o->cands.v[i]->flips);
	}
	for (size_t i = 0; i < o->all_wishes.n; i++)
		vec_fini(&o->all_wishes.v[i]->options);
	for (size_t i = 0; i < o->names.cap; i++) {
		struct cand_list *l = o->names.slots[i].value;
		if (l != NULL)
			vec_fini(&l->list);
	}
	for (size_t i = 0; i < SOFT_KINDS; i++)
		vec_fini(&o->soft[i]);
	map_fini(&o->names);
	map_fini(&o->wishes);
	vec_fini(&o->cands);
	vec_fini(&o->waiting);
	vec_fini(&o->all_wishes);
	vec_fini(&o->facts);
	vec_fini(&o->risks);
	vec_fini(&o->trail);
	sat_free(o->sat);
	arena_fini(&o->a);
	free(o);
}

static bool solve(struct oracle *o)
{
	return sat_solve(o->sat, o->trail.v, o->trail.n);
}

static bool try(struct oracle *o, int lit)
{
	vec_push(&o->trail, lit);
	if (sat_model_fits(o->sat) && sat_true(o->sat, lit))
		return true;
	if (solve(o))
		return true;
	o->trail.n--;
	return false;
}

/* What may stay as the configuration says stays so: masked packages before keywords before flags.
 */
static void settle(struct oracle *o)
{
	size_t before = o->trail.n;
	bool any = false;
	for (size_t k = 0; k < SOFT_KINDS; k++) {
		for (size_t i = o->settled[k]; i < o->soft[k].n; i++) {
			vec_push(&o->trail, o->soft[k].v[i]);
			any = true;
		}
	}
	if (any && !solve(o)) {
		o->trail.n = before;
		solve(o);
		for (size_t k = 0; k < SOFT_KINDS; k++) {
			for (size_t i = o->settled[k]; i < o->soft[k].n; i++)
				try(o, o->soft[k].v[i]);
		}
	}
	for (size_t k = 0; k < SOFT_KINDS; k++)
		o->settled[k] = o->soft[k].n;
}

bool oracle_begin(struct oracle *o)
{
	o->trail.n = 0;
	for (size_t i = 0; i < o->facts.n; i++) {
		if (o->facts.v[i].sel != 0)
			vec_push(&o->trail, o->facts.v[i].sel);
	}
	memset(o->settled, 0, sizeof o->settled);
	if (!solve(o))
		return false;
	settle(o);
	return true;
}

bool oracle_try(struct oracle *o, int lit)
{
	return try(o, lit);
}

/* Clauses that a question brought with it. */
static void catch_up(struct oracle *o)
{
	encode_waiting(o);
	settle(o);
}

struct wish *oracle_wish(struct oracle *o, const struct atom *atom)
{
	struct wish *w = encode_wish(o, NULL, atom);
	catch_up(o);
	return w;
}

static int node_lit(struct oracle *o, const struct rnode *n);

static int list_lit(struct oracle *o, const struct rlist *l, bool any)
{
	int lit = any ? -o->truth : o->truth;
	for (size_t i = 0; i < l->n; i++) {
		const struct rnode *n = &l->v[i];
		bool group = n->list == NULL && n->dep != NULL && n->dep->kind == DEP_ANY &&
			     i + 1 < l->n && l->v[i + 1].list != NULL;
		int one = group ? list_lit(o, l->v[++i].list, true) : node_lit(o, n);
		lit = any ? oracle_either(o, lit, one) : -oracle_either(o, -lit, -one);
	}
	return lit;
}

static int node_lit(struct oracle *o, const struct rnode *n)
{
	if (n->list != NULL)
		return list_lit(o, n->list, false);
	if (n->atom == NULL)
		return -o->truth;
	if (n->atom->block != ATOM_NO_BLOCK || config_provided(o->r->in->config, n->atom))
		return o->truth;
	return encode_wish(o, NULL, n->atom)->lit;
}

int oracle_node(struct oracle *o, const struct rnode *n)
{
	int lit = node_lit(o, n);
	catch_up(o);
	return lit;
}

/* Both directions are said, so that its negative can be used as well. */
int oracle_either(struct oracle *o, int a, int b)
{
	if (a == o->truth || b == -o->truth)
		return a;
	if (b == o->truth || a == -o->truth)
		return b;
	int var = sat_var(o->sat, false);
	const int up[] = { -var, a, b }, left[] = { var, -a }, right[] = { var, -b };
	sat_clause(o->sat, up, 3);
	sat_clause(o->sat, left, 2);
	sat_clause(o->sat, right, 2);
	return var;
}

void oracle_flags(struct oracle *o, struct pkg *p)
{
	const struct cand *c = p->user;
	const char *text = "";
	for (size_t i = 0; c != NULL && i < c->flips.n; i++) {
		const struct flip *f = &c->flips.v[i];
		if (try(o, -f->var) || !try(o, f->var))
			continue;
		f->flag->on = !f->flag->on;
		text = arena_printf(
			o->r->a, "%s %s%.*s", text, f->flag->on ? "" : "-", STR_ARG(f->flag->name));
	}
	if (text[0] != '\0')
		resolve_note_use(o->r, p, text);
}

void oracle_forbid(struct demand_set *d, const struct pkg *const *of, size_t n, const char *text)
{
	struct forbidden f = { arena_strdup(&d->a, text), (int)n, NULL };
	f.of = arena_alloc(&d->a, (n + 1) * sizeof(struct pkg *));
	memcpy(f.of, of, n * sizeof(struct pkg *));
	vec_push(&d->forbidden, f);
}
