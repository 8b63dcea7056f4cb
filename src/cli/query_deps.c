/* eprefix query depends, rdepends. */
#include "query.h"
#include "vdb_pkg.h"

#include <stdio.h>

static const char *const fields[] = { "BDEPEND", "DEPEND", "IDEPEND", "PDEPEND", "RDEPEND" };
#define N_FIELDS (sizeof fields / sizeof *fields)

/* One atom of a record's dependencies. */
struct found {
	const struct vdb_pkg *of;
	const char *field;
	const struct atom *atom;
};

typedef void visit_atom(void *ctx, const struct found *f);

static void walk(const struct dep *d, struct found *f, visit_atom *visit, void *ctx)
{
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_ATOM) {
			f->atom = d->atom;
			visit(ctx, f);
		} else {
			walk(d->child, f, visit, ctx);
		}
	}
}

/* Visit the atoms of all dependency fields; false when one does not parse. */
static bool each_atom(const struct vdb_pkg *p, visit_atom *visit, void *ctx, struct err *e)
{
	struct arena a = ARENA_INIT;
	bool ok = true;
	for (size_t i = 0; ok && i < N_FIELDS; i++) {
		struct dep_parse how = { .syntax = DEP_OF_ATOMS, .atom_flags = ATOM_REPO };
		struct found f = { p, fields[i], NULL };
		const struct dep *d = NULL;
		ok = dep_parse(&a, str_of(vdb_get(p, fields[i])), &how, &d, e);
		if (ok)
			walk(d, &f, visit, ctx);
		else
			err_in(e, "%s of %s/%s", fields[i], p->category, p->pf);
	}
	arena_fini(&a);
	return ok;
}

struct depends {
	struct query *q;
	size_t n;
};

/* The installed package that satisfies an atom, the last one where several do. */
static const struct vdb_pkg *satisfier(const struct vdb *v, const struct atom *atom)
{
	const struct vdb_pkg *best = NULL;
	for (size_t i = 0; i < vdb_count(v); i++) {
		if (vdb_matches(vdb_at(v, i), atom))
			best = vdb_at(v, i);
	}
	return best;
}

static void add_dependency(void *ctx, const struct found *f)
{
	struct depends *d = ctx;
	struct buf *out = &d->q->out, text = BUF_INIT, cpv = BUF_INIT;
	const struct vdb_pkg *by = satisfier(d->q->vdb, f->atom);
	atom_print(f->atom, &text);
	if (by != NULL)
		query_cpv(&cpv, by);
	if (d->q->cli->json) {
		buf_printf(out, "%s{\"kind\": \"%s\", \"atom\": ", d->n > 0 ? ", " : "", f->field);
		buf_json(out, (struct str){ text.p, text.n });
		buf_adds(out, ", \"installed\": ");
		if (by != NULL)
			buf_json(out, (struct str){ cpv.p, cpv.n });
		else
			buf_adds(out, "null");
		buf_addc(out, '}');
	} else if (f->atom->block != ATOM_NO_BLOCK) {
		buf_printf(out, "  %-8s %s\n", f->field, buf_str(&text));
	} else {
		buf_printf(out, "  %-8s %s (%s)\n", f->field, buf_str(&text),
			by != NULL ? buf_str(&cpv) : "not installed");
	}
	d->n++;
	buf_fini(&text);
	buf_fini(&cpv);
}

bool query_depends(struct query *q, struct err *e)
{
	for (size_t i = 0; i < q->packages.list.n; i++) {
		struct depends d = { q, 0 };
		const struct vdb_pkg *p = q->packages.list.v[i];
		if (q->cli->json) {
			query_object(q, p);
			buf_adds(&q->out, ", \"depends\": [");
		} else {
			query_cpv(&q->out, p);
			buf_addc(&q->out, '\n');
		}
		if (!each_atom(p, add_dependency, &d, e))
			return false;
		if (q->cli->json)
			buf_adds(&q->out, "]}");
	}
	return true;
}

struct reverse {
	struct query *q;
	const struct vdb_pkg *target;
};

static void add_dependant(void *ctx, const struct found *f)
{
	struct reverse *r = ctx;
	struct query *q = r->q;
	struct buf text = BUF_INIT, cpv = BUF_INIT;
	if (f->atom->block != ATOM_NO_BLOCK || !vdb_matches(r->target, f->atom))
		return;
	atom_print(f->atom, &text);
	query_cpv(&cpv, r->target);
	if (q->cli->json) {
		query_object(q, f->of);
		query_member(q, "kind", f->field);
		query_member(q, "atom", buf_str(&text));
		query_member(q, "needs", buf_str(&cpv));
		buf_addc(&q->out, '}');
	} else {
		query_cpv(&q->out, f->of);
		buf_printf(&q->out, "  %-8s %s\n", f->field, buf_str(&text));
	}
	buf_fini(&text);
	buf_fini(&cpv);
}

bool query_rdepends(struct query *q, struct err *e)
{
	for (size_t i = 0; i < q->packages.list.n; i++) {
		struct reverse r = { q, q->packages.list.v[i] };
		for (size_t k = 0; k < vdb_count(q->vdb); k++) {
			if (!each_atom(vdb_at(q->vdb, k), add_dependant, &r, e))
				return false;
		}
	}
	return true;
}
