/* eprefix query --available depends, rdepends. */
#include "query.h"

#include "vdb_pkg.h"

#include <stdlib.h>

/* One atom of a package's dependencies. */
struct found {
	struct query *q;
	struct pkg *of;
	const char *field;
	size_t n; /* so far, of this package */
};

/* The best visible version that satisfies the atom, NULL: none. */
static struct pkg *best_for(struct query *q, const struct atom *atom)
{
	const struct package *all = repo_package(q->engine.repos, atom->cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct err ignored = ERR_INIT;
		struct pkg *p = all->v[i];
		if (pkg_load(q->engine.repos, p, &ignored) && atom_match_but_use(atom, p) &&
			config_visible(q->engine.config, p, NULL))
			return p;
	}
	return NULL;
}

static const struct vdb_pkg *installed_for(const struct query *q, const struct atom *atom)
{
	const struct vdb_pkg *best = NULL;
	for (size_t i = 0; i < vdb_count(q->vdb); i++) {
		if (vdb_matches(vdb_at(q->vdb, i), atom))
			best = vdb_at(q->vdb, i);
	}
	return best;
}

static void add_atom(struct found *f, const struct atom *atom)
{
	struct query *q = f->q;
	struct buf text = BUF_INIT, cpv = BUF_INIT;
	const struct vdb_pkg *there = installed_for(q, atom);
	const struct pkg *best = there == NULL ? best_for(q, atom) : NULL;
	atom_print(atom, &text);
	if (there != NULL)
		query_cpv(&cpv, there);
	else if (best != NULL)
		buf_printf(&cpv, "%.*s/%.*s", STR_ARG(best->cat), STR_ARG(best->pf));
	if (q->cli->json) {
		buf_printf(
			&q->out, "%s{\"kind\": \"%s\", \"atom\": ", f->n > 0 ? ", " : "", f->field);
		buf_json(&q->out, (struct str){ buf_str(&text), text.n });
		buf_printf(&q->out, ", \"%s\": ", there != NULL ? "installed" : "available");
		if (cpv.n > 0)
			buf_json(&q->out, (struct str){ cpv.p, cpv.n });
		else
			buf_adds(&q->out, "null");
		buf_addc(&q->out, '}');
	} else if (atom->block != ATOM_NO_BLOCK) {
		buf_printf(&q->out, "  %-8s %s\n", f->field, buf_str(&text));
	} else {
		buf_printf(&q->out, "  %-8s %s (%s%s)\n", f->field, buf_str(&text),
			there != NULL  ? ""
			: best != NULL ? "not installed; there is "
				       : "not to be had",
			buf_str(&cpv));
	}
	f->n++;
	buf_fini(&text);
	buf_fini(&cpv);
}

typedef void visit_atom(struct found *f, const struct atom *atom);

static void walk(const struct dep *d, struct found *f, visit_atom *visit)
{
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_ATOM)
			visit(f, d->atom);
		else
			walk(d->child, f, visit);
	}
}

/* All conditional dependencies are visited: which hold depends on flags one may change. */
static bool each_atom(struct found *f, visit_atom *visit, struct err *e)
{
	for (int key = PKG_DEPEND; key < PKG_DEPS; key++) {
		const struct dep *tree = NULL;
		struct err bad = ERR_INIT;
		f->field = pkg_key_name((enum pkg_key)key);
		if (!pkg_deps(&f->q->engine.repos->arena, f->of, (enum pkg_key)key, &tree, &bad)) {
			*e = bad;
			return false;
		}
		walk(tree, f, visit);
	}
	return true;
}

bool query_depends_available(struct query *q, struct err *e)
{
	for (size_t i = 0; i < q->available.n; i++) {
		struct found f = { .q = q, .of = q->available.v[i] };
		query_begin(q, f.of, "\n");
		buf_adds(&q->out, q->cli->json ? ", \"depends\": [" : "");
		if (!f.of->broken && !each_atom(&f, add_atom, e))
			return false;
		buf_adds(&q->out, q->cli->json ? "]}" : "");
	}
	return true;
}

static void add_dependant(struct found *f, const struct atom *atom)
{
	struct query *q = f->q;
	bool hit = false;
	for (size_t i = 0; !hit && atom->block == ATOM_NO_BLOCK && i < q->available.n; i++)
		hit = atom_match_but_use(atom, q->available.v[i]);
	if (!hit)
		return;
	struct buf text = BUF_INIT;
	atom_print(atom, &text);
	query_begin(q, f->of, "");
	if (q->cli->json) {
		query_member(q, "kind", f->field);
		query_member(q, "atom", buf_str(&text));
		buf_addc(&q->out, '}');
	} else {
		buf_printf(&q->out, "  %-8s %s\n", f->field, buf_str(&text));
	}
	buf_fini(&text);
}

/* Broken packages depend on nothing that could be told. */
bool query_rdepends_available(struct query *q, struct err *e)
{
	struct package_list all = { 0 };
	bool ok = repo_all(q->engine.repos, &all, e);
	for (size_t i = 0; ok && i < all.list.n; i++) {
		for (size_t k = all.list.v[i]->n; ok && k-- > 0;) {
			struct found f = { .q = q, .of = all.list.v[i]->v[k] };
			struct err broken = ERR_INIT;
			ok = pkg_load(q->engine.repos, f.of, e);
			if (ok && !f.of->broken)
				each_atom(&f, add_dependant, &broken);
		}
	}
	vec_fini(&all.list);
	return ok;
}
