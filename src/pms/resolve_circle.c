#include "resolve_int.h"

/* Which flag takes a package out of a circle of packages that need each other to be built. */

/* A package as if one of its flags were the other way round. */
struct flipped {
	const struct pkg *pkg;
	struct str flag;
};

static bool flipped_on(const void *ctx, struct str flag)
{
	const struct flipped *f = ctx;
	return pkg_flag_on(f->pkg, flag) != str_eq(f->flag, flag);
}

/* Do its dependencies, with that flag flipped (none: as they are), ask for the other? */
static bool asks_for(struct resolver *r, struct pkg *p, struct str flag, const struct pkg *other)
{
	static const enum pkg_key keys[] = { PKG_BDEPEND, PKG_DEPEND, PKG_RDEPEND, PKG_IDEPEND };
	const struct flipped f = { p, flag };
	const struct reduce how = { .on = flipped_on, .on_ctx = &f, .flat = true };
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		const struct dep *tree = NULL;
		struct rlist *list = NULL;
		struct err ignored = ERR_INIT;
		if (!pkg_deps(&r->in->repos->arena, p, keys[k], &tree, &ignored) ||
			!dep_reduce(r->a, tree, &how, &list, &ignored))
			return true;
		for (size_t i = 0; list != NULL && i < list->n; i++) {
			const struct atom *atom = list->v[i].atom;
			if (atom != NULL && atom->block == ATOM_NO_BLOCK &&
				str_eq(atom->cp, other->cp))
				return true;
		}
	}
	return false;
}

/* The flag of p without which it would not ask for the other, as a line of package.use; NULL: none.
 */
static const char *way_out(struct resolver *r, struct pkg *p, const struct pkg *other)
{
	for (size_t i = 0; i < p->n_iuse; i++) {
		const struct iuse *f = &p->iuse[i];
		if (!f->forced && !f->masked && !asks_for(r, p, f->name, other))
			return arena_printf(r->a, ">=%.*s/%.*s %s%.*s", STR_ARG(p->cat),
				STR_ARG(p->pf), f->on ? "-" : "", STR_ARG(f->name));
	}
	return NULL;
}

const char *resolve_circle_help(struct resolver *r)
{
	const char *help = NULL;
	for (size_t i = 0; i < r->circle.n && help == NULL; i++) {
		const struct pkg *other = r->circle.v[(i + 1) % r->circle.n];
		help = way_out(r, (struct pkg *)r->circle.v[i], other);
	}
	return help != NULL
		       ? arena_printf(r->a, "this flag breaks the circle: package.use: %s", help)
		       : "no flag of theirs breaks the circle: install an earlier version of one "
			 "of "
			 "them first";
}
