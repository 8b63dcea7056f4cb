#include "resolve_oracle.h"

void encode_rule(struct oracle *o, struct fact f, const int *lits, size_t n)
{
	VEC(int) clause = { 0 };
	for (size_t i = 0; i < n; i++)
		vec_push(&clause, lits[i]);
	if (o->explain) {
		f.sel = sat_var(o->sat, true);
		vec_push(&clause, -f.sel);
		vec_push(&o->facts, f);
	}
	sat_clause(o->sat, clause.v, clause.n);
	vec_fini(&clause);
}

static const char *demand_key(struct arena *a, const struct pkg *p, struct str flag)
{
	return arena_printf(a, "%.*s/%.*s::%.*s %.*s", STR_ARG(p->cat), STR_ARG(p->pf),
		STR_ARG(p->repo_name), STR_ARG(flag));
}

/* The flags of a candidate that something asks for otherwise than they are. */
static void add_flips(struct oracle *o, struct cand *c)
{
	if (o->demands->flags.n == 0 || c->pkg->kind == PKG_INSTALLED)
		return;
	for (size_t i = 0; i < c->pkg->n_iuse; i++) {
		struct iuse *flag = &c->pkg->iuse[i];
		struct str key = str_of(demand_key(&o->a, c->pkg, flag->name));
		if (map_get(&o->demands->flags, key) == NULL)
			continue;
		const struct flip f = { flag, sat_var(o->sat, false) };
		vec_push(&c->flips, f);
		vec_push(&o->soft[SOFT_FLAG], -f.var);
	}
}

static struct cand *add_cand(struct oracle *o, struct cand_list *l, struct pkg *p, enum grade grade)
{
	struct cand *c = arena_calloc(&o->a, 1, sizeof *c);
	bool installed = p->kind == PKG_INSTALLED, likely = installed;
	const struct by_name *n = resolve_name(o->r, p->cp);
	for (size_t i = 0; !installed && i < n->taken.n; i++)
		likely = likely || n->taken.v[i]->item.pkg == p;
	*c = (struct cand){ .pkg = p, .grade = grade };
	c->var = sat_var(o->sat, likely);
	c->beside = installed ? NULL : resolve_in_slot(o->r, p);
	p->user = c;
	vec_push(&l->list, c);
	vec_push(&o->cands, c);
	add_flips(o, c);
	if (grade == GRADE_MASK || grade == GRADE_KEYWORD)
		vec_push(&o->soft[grade == GRADE_MASK ? SOFT_MASK : SOFT_KEYWORD], -c->var);
	return c;
}

/* Of one slot there is one package. */
static void exclude_twins(struct oracle *o, const struct cand_list *l)
{
	for (size_t i = 0; i < l->list.n; i++) {
		for (size_t k = i + 1; k < l->list.n; k++) {
			const struct cand *a = l->list.v[i], *b = l->list.v[k];
			const int lits[] = { -a->var, -b->var };
			if (resolve_same_slot(a->pkg, b->pkg))
				sat_clause(o->sat, lits, 2);
		}
	}
}

/* What is installed stays, or another version takes its place. */
static void keep_slot(struct oracle *o, const struct cand_list *l, struct cand *installed)
{
	VEC(int) lits = { 0 };
	vec_push(&lits, installed->var);
	for (size_t i = 0; i < l->list.n; i++) {
		if (l->list.v[i]->beside != installed->pkg)
			continue;
		vec_push(&lits, l->list.v[i]->var);
		encode_ask(o, l->list.v[i]);
		if (pkg_cmp(l->list.v[i]->pkg, installed->pkg) < 0)
			vec_push(&o->soft[SOFT_DOWNGRADE], -l->list.v[i]->var);
	}
	encode_rule(o, (struct fact){ .kind = FACT_STAYS, .of = installed->pkg }, lits.v, lits.n);
	vec_fini(&lits);
}

static void add_versions(struct oracle *o, struct cand_list *l, struct str cp)
{
	const struct package *all = repo_package(o->r->in->repos, cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct pkg *p = all->v[i];
		if (!pkg_load(o->r->in->repos, p, &o->e))
			return;
		enum grade grade = resolve_grade(o->r, p);
		bool fixed = resolve_is_excluded(o->r, p) && resolve_in_slot(o->r, p) != NULL;
		if (grade != GRADE_NO && !fixed)
			add_cand(o, l, p, grade);
	}
}

struct cand_list *encode_name(struct oracle *o, struct str cp)
{
	struct cand_list *l = map_get(&o->names, cp);
	if (l != NULL)
		return l;
	l = arena_calloc(&o->a, 1, sizeof *l);
	map_set(&o->names, cp, l);
	const struct by_name *n = resolve_name(o->r, cp);
	add_versions(o, l, cp);
	for (size_t i = 0; i < n->installed.n; i++)
		add_cand(o, l, n->installed.v[i], GRADE_FREE);
	exclude_twins(o, l);
	for (size_t i = 0; i < l->list.n; i++) {
		if (l->list.v[i]->pkg->kind == PKG_INSTALLED)
			keep_slot(o, l, l->list.v[i]);
	}
	return l;
}

void encode_ask(struct oracle *o, struct cand *c)
{
	if (c->asked)
		return;
	c->asked = true;
	vec_push(&o->waiting, c);
}

int encode_flag(const struct oracle *o, const struct cand *c, struct str flag)
{
	bool on = pkg_flag_on(c->pkg, flag);
	for (size_t i = 0; i < c->flips.n; i++) {
		if (str_eq(c->flips.v[i].flag->name, flag))
			return on ? -c->flips.v[i].var : c->flips.v[i].var;
	}
	return on ? o->truth : -o->truth;
}

/*
 * The literals under which a request is met. One that is to be built anew is not met by what is
 * installed, unless there is nothing else.
 */
static void encode_request(struct oracle *o, const struct atom *atom)
{
	const struct resolve_opts *opts = &o->r->in->opts;
	const struct wish *w = encode_wish(o, NULL, atom);
	bool fresh = false, any = opts->noreplace || opts->update;
	VEC(int) lits = { 0 };
	for (size_t i = 0; i < w->options.n; i++)
		fresh = fresh || (w->options.v[i].cand->grade == GRADE_FREE &&
					 w->options.v[i].cand->pkg->kind != PKG_INSTALLED);
	for (size_t i = 0; i < w->options.n; i++) {
		const struct pkg *p = w->options.v[i].cand->pkg;
		if (p->kind != PKG_INSTALLED || any || !fresh || resolve_is_excluded(o->r, p))
			vec_push(&lits, w->options.v[i].lit);
	}
	encode_rule(o, (struct fact){ .kind = FACT_REQUEST, .atom = atom }, lits.v, lits.n);
	vec_fini(&lits);
}

void encode_requests(struct oracle *o)
{
	for (size_t i = 0; i < o->r->in->n_requests; i++)
		encode_request(o, o->r->in->requests[i]);
}

/* What was found out not to work though no clause says so. */
void encode_forbidden(struct oracle *o)
{
	for (size_t i = 0; i < o->demands->forbidden.n; i++) {
		const struct forbidden *f = &o->demands->forbidden.v[i];
		VEC(int) lits = { 0 };
		for (int k = 0; k < f->n; k++) {
			encode_name(o, f->of[k]->cp);
			const struct cand *c = f->of[k]->user;
			if (c != NULL)
				vec_push(&lits, -c->var);
		}
		encode_rule(o, (struct fact){ .kind = FACT_FORBIDDEN, .text = f->text }, lits.v,
			lits.n);
		vec_fini(&lits);
	}
}
