#include "resolve_oracle.h"

#define MAX_LINES 11

/* Assume the facts that are still suspected; mark those that the contradiction rests on. */
static bool narrow(struct oracle *o)
{
	VEC(int) lits = { 0 };
	size_t left = 0;
	for (size_t i = 0; i < o->facts.n; i++) {
		if (o->facts.v[i].guilty)
			vec_push(&lits, o->facts.v[i].sel);
	}
	if (!sat_solve(o->sat, lits.v, lits.n)) {
		for (size_t i = 0; i < o->facts.n; i++) {
			struct fact *f = &o->facts.v[i];
			f->guilty = f->guilty && sat_failed(o->sat, f->sel);
			left += f->guilty;
		}
	}
	bool fewer = left > 0 && left < lits.n;
	vec_fini(&lits);
	return fewer;
}

/* Does the contradiction remain without the fact? */
static void drop_needless(struct oracle *o)
{
	for (size_t i = o->facts.n; i-- > 0;) {
		struct fact *f = &o->facts.v[i];
		if (!f->guilty)
			continue;
		f->guilty = false;
		VEC(int) lits = { 0 };
		for (size_t k = 0; k < o->facts.n; k++) {
			if (o->facts.v[k].guilty)
				vec_push(&lits, o->facts.v[k].sel);
		}
		f->guilty = sat_solve(o->sat, lits.v, lits.n);
		vec_fini(&lits);
	}
}

static void find_guilty(struct oracle *o)
{
	size_t n = 0;
	for (size_t i = 0; i < o->facts.n; i++)
		o->facts.v[i].guilty = true;
	while (narrow(o))
		continue;
	for (size_t i = 0; i < o->facts.n; i++)
		n += o->facts.v[i].guilty;
	if (n <= 400)
		drop_needless(o);
}

static bool speaks_of(const struct dep *d, struct str cp)
{
	if (d->atom != NULL)
		return d->atom->block == ATOM_NO_BLOCK && str_eq(d->atom->cp, cp);
	for (const struct dep *c = d->child; c != NULL; c = c->next) {
		if (speaks_of(c, cp))
			return true;
	}
	return false;
}

/* Who among the guilty asks for the package: "a/b-1 <- c/d-1" up to the request. */
static void add_chain(const struct oracle *o, struct buf *out, const struct pkg *p, size_t depth)
{
	buf_printf(out, "%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
	for (size_t i = 0; i < o->facts.n && depth < 30; i++) {
		const struct fact *f = &o->facts.v[i];
		if (!f->guilty || f->kind != FACT_NEEDS || str_eq(f->of->cp, p->cp) ||
			!speaks_of(f->node, p->cp))
			continue;
		buf_adds(out, " <- ");
		add_chain(o, out, f->of, depth + 1);
		return;
	}
}

static const struct wish *wish_of(struct oracle *o, const struct fact *f)
{
	if (f->kind == FACT_REQUEST)
		return encode_wish(o, NULL, f->atom);
	if (f->kind == FACT_NEEDS && f->node->kind == DEP_ATOM)
		return encode_wish(o, f->of->user, f->node->atom);
	return NULL;
}

/* The simplest failure: what one of them needs does not exist. */
static bool explain_missing(struct resolver *r, struct oracle *o, struct err *e)
{
	for (size_t i = 0; i < o->facts.n; i++) {
		const struct fact *f = &o->facts.v[i];
		const struct wish *w = f->guilty ? wish_of(o, f) : NULL;
		if (w == NULL || w->options.n > 0)
			continue;
		struct buf chain = BUF_INIT;
		if (f->kind == FACT_NEEDS)
			add_chain(o, &chain, f->of, 0);
		err_set(e, ERR_CONFLICT, "resolve.find", "nothing satisfies %.*s: %s%s%s",
			STR_ARG(w->atom->text), resolve_why_none(r, w->atom),
			chain.n > 0 ? "\nneeded by " : "", buf_str(&chain));
		buf_fini(&chain);
		return true;
	}
	return false;
}

static void add_name(struct buf *out, const struct pkg *p)
{
	buf_printf(out, "\n  %.*s/%.*s%s", STR_ARG(p->cat), STR_ARG(p->pf),
		p->kind == PKG_INSTALLED ? ", which is installed," : "");
}

static void add_fact(struct buf *out, const struct fact *f)
{
	struct buf node = BUF_INIT;
	struct dep alone = { 0 };
	if (f->node != NULL) {
		alone = *f->node;
		alone.next = NULL;
		dep_print(&alone, &node);
	}
	if (f->kind == FACT_REQUEST) {
		buf_printf(out, "\n  %.*s is asked for", STR_ARG(f->atom->text));
	} else if (f->kind == FACT_NEEDS) {
		add_name(out, f->of);
		buf_printf(out, " needs %.160s", buf_str(&node));
	} else if (f->kind == FACT_BLOCKS) {
		add_name(out, f->of);
		buf_printf(out, " says %.80s, so that %.*s/%.*s cannot be beside it",
			buf_str(&node), STR_ARG(f->other->cat), STR_ARG(f->other->pf));
	} else if (f->kind == FACT_STAYS) {
		buf_printf(
			out, "\n  %.*s/%.*s is installed", STR_ARG(f->of->cat), STR_ARG(f->of->pf));
	}
	buf_fini(&node);
}

/* Other versions say the same often, and a blocker may hit several: one of them is enough. */
static bool says_the_same(const struct fact *f, const struct fact *g)
{
	if (g->kind != f->kind || g->of == NULL || f->of == NULL || g->node == NULL ||
		f->node == NULL || !str_eq(g->of->cp, f->of->cp) || f->of->kind != g->of->kind)
		return false;
	return g->of != f->of || (f->other != NULL && str_eq(f->other->cp, g->other->cp));
}

static bool was_told(const struct oracle *o, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (o->facts.v[i].guilty && says_the_same(&o->facts.v[at], &o->facts.v[i]))
			return true;
	}
	return false;
}

static void add_help(const struct oracle *o, struct buf *out)
{
	size_t n = 0;
	const struct pkg *stays = NULL;
	for (size_t i = 0; i < o->facts.n; i++) {
		const struct fact *f = &o->facts.v[i];
		n += f->guilty && f->kind == FACT_REQUEST;
		if (f->guilty && f->kind == FACT_STAYS)
			stays = f->of;
	}
	const char *before = "\nleave out ";
	for (size_t i = 0; i < o->facts.n && n > 1; i++) {
		const struct fact *f = &o->facts.v[i];
		if (!f->guilty || f->kind != FACT_REQUEST)
			continue;
		buf_printf(out, "%s%.*s", before, STR_ARG(f->atom->text));
		before = " or ";
	}
	if (stays != NULL)
		buf_printf(out, "%s%.*s/%.*s is removed first: eprefix emerge -C %.*s",
			n > 1 ? ", or try again when " : "\nit may go when ", STR_ARG(stays->cat),
			STR_ARG(stays->pf), STR_ARG(stays->cp));
}

static void explain_conflict(struct oracle *o, struct err *e)
{
	struct buf out = BUF_INIT;
	size_t lines = 0, more = 0;
	buf_adds(&out, "these cannot all be had:");
	for (size_t i = 0; i < o->facts.n; i++) {
		if (!o->facts.v[i].guilty)
			continue;
		if (was_told(o, i) || lines >= MAX_LINES) {
			more++;
			continue;
		}
		add_fact(&out, &o->facts.v[i]);
		lines++;
	}
	if (more > 0)
		buf_printf(&out, "\n  (and %zu more facts of that kind)", more);
	add_help(o, &out);
	err_set(e, ERR_CONFLICT, "resolve.conflict", "%s", buf_str(&out));
	buf_fini(&out);
}

static const char *forbidden_text(const struct oracle *o)
{
	for (size_t i = 0; i < o->facts.n; i++) {
		if (o->facts.v[i].guilty && o->facts.v[i].kind == FACT_FORBIDDEN)
			return o->facts.v[i].text;
	}
	return NULL;
}

bool resolve_explain(
	struct resolver *r, struct demand_set *d, const struct err *first, struct err *e)
{
	resolve_walk_reset(r);
	struct oracle *o = oracle_new(r, d, true);
	find_guilty(o);
	const char *text = forbidden_text(o);
	if (o->e.code != ERR_NONE)
		*e = o->e;
	else if (text != NULL)
		err_set(e, ERR_CONFLICT, first->what, "%s", text);
	else if (!explain_missing(r, o, e))
		explain_conflict(o, e);
	oracle_free(o);
	return false;
}
