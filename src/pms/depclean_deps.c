#include "depclean_int.h"

#include "repo.h"

#include <stdlib.h>

const enum pkg_key removal_keys[] = { PKG_RDEPEND, PKG_PDEPEND, PKG_IDEPEND, PKG_DEPEND,
	PKG_BDEPEND, PKG_KEYS };

bool removal_key_is_soft(enum pkg_key key)
{
	return key == PKG_DEPEND || key == PKG_BDEPEND;
}

void removal_index_init(struct removal_index *x, const struct removal_input *in)
{
	*x = (struct removal_index){ .in = in };
	for (size_t i = 0; i < in->n_installed; i++) {
		struct removal_name *name = map_get(&x->names, in->installed[i].cp);
		if (name == NULL) {
			name = arena_calloc(&x->arena, 1, sizeof *name);
			map_set(&x->names, in->installed[i].cp, name);
		}
		size_t *more = arena_alloc(&x->arena, (name->n + 1) * sizeof *more);
		size_t at = 0;
		while (at < name->n && pkg_cmp(&in->installed[name->v[at]], &in->installed[i]) >= 0)
			at++;
		for (size_t k = 0; k < name->n; k++)
			more[k + (k >= at)] = name->v[k];
		more[at] = i;
		name->v = more;
		name->n++;
	}
}

void removal_index_fini(struct removal_index *x)
{
	map_fini(&x->names);
	arena_fini(&x->arena);
}

const struct removal_name *removal_name(const struct removal_index *x, struct str cp)
{
	return map_get(&x->names, cp);
}

/* A recorded slot operator means the slot that was built against; other slots may have moved. */
static bool match_ebuild(const struct removal_index *x, const struct atom *atom, size_t i)
{
	bool recorded = atom->slot_op == '=' && atom->subslot.n > 0;
	if (atom->slot.n == 0 || recorded || x->in->ebuild == NULL)
		return false;
	const struct pkg *now = x->in->ebuild(x->in->ctx, i);
	if (now == NULL)
		return false;
	struct pkg moved = x->in->installed[i];
	moved.slot = now->slot;
	moved.subslot = now->subslot;
	return atom_match(atom, &moved);
}

bool removal_match(const struct removal_index *x, const struct atom *atom, size_t i)
{
	return atom_match(atom, &x->in->installed[i]) || match_ebuild(x, atom, i);
}

size_t removal_find(const struct removal_index *x, const struct atom *atom, const bool *have)
{
	const struct removal_name *name = removal_name(x, atom->cp);
	for (int moved = 0; name != NULL && moved < 2; moved++) {
		for (size_t k = 0; k < name->n; k++) {
			size_t i = name->v[k];
			bool match = moved ? match_ebuild(x, atom, i)
					   : atom_match(atom, &x->in->installed[i]);
			if ((have == NULL || have[i]) && match)
				return i;
		}
	}
	return REMOVAL_NONE;
}

const struct atom *removal_atom(const struct removal_index *x, const struct dep *d, size_t of)
{
	return atom_evaluate(x->in->arena, d->atom, pkg_flag_on_cb, &x->in->installed[of]);
}

bool removal_active(const struct removal_index *x, const struct dep *d, size_t of)
{
	return pkg_flag_on(&x->in->installed[of], d->text) != d->negated;
}

static bool atom_holds(
	const struct removal_index *x, const struct dep *d, size_t of, const bool *have)
{
	if (d->atom->block != ATOM_NO_BLOCK)
		return true;
	const struct atom *atom = removal_atom(x, d, of);
	return removal_find(x, atom, have) != REMOVAL_NONE ||
	       (x->in->config != NULL && config_provided(x->in->config, atom));
}

static bool all_hold(
	const struct removal_index *x, const struct dep *d, size_t of, const bool *have)
{
	for (; d != NULL; d = d->next) {
		if (!removal_holds(x, d, of, have))
			return false;
	}
	return true;
}

/* An inactive condition is as good as not written: it satisfies no any-of (PMS 8.2.3). */
static bool any_holds(
	const struct removal_index *x, const struct dep *d, size_t of, const bool *have)
{
	bool any = false;
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_USE && !removal_active(x, d, of))
			continue;
		if (removal_holds(x, d, of, have))
			return true;
		any = true;
	}
	return !any;
}

bool removal_holds(const struct removal_index *x, const struct dep *d, size_t of, const bool *have)
{
	switch (d->kind) {
	case DEP_ATOM:
		return atom_holds(x, d, of, have);
	case DEP_ALL:
		return all_hold(x, d->child, of, have);
	case DEP_USE:
		return !removal_active(x, d, of) || all_hold(x, d->child, of, have);
	case DEP_ANY:
	case DEP_ONE:
		return any_holds(x, d->child, of, have);
	case DEP_AT_MOST_ONE:
	case DEP_WORD:
	case DEP_ARROW:
		break;
	}
	return true;
}

bool removal_tree(const struct removal_index *x, size_t of, enum pkg_key key,
	const struct dep **out, struct err *e)
{
	struct pkg *p = &x->in->installed[of];
	*out = NULL;
	if (removal_key_is_soft(key) && !x->in->build_deps)
		return true;
	return pkg_deps(x->in->arena, p, key, out, e) ||
	       err_in(e, "%s of the installed %.*s/%.*s", pkg_key_name(key), STR_ARG(p->cat),
		       STR_ARG(p->pf));
}

void removal_dep_print(const struct removal_dep *d, struct buf *out)
{
	struct dep alone = *d->node;
	alone.next = NULL;
	dep_print(&alone, out);
}

/* The walk over the dependencies of packages: those that hold now and not with what is left. */
struct breaking {
	const struct removal_index *x;
	const bool *left; /* NULL: what does not hold even now is looked for */
	struct removal_dep at;
	struct removal_deps *out;
};

static bool is_lost(const struct breaking *b, const struct dep *d)
{
	bool now = removal_holds(b->x, d, b->at.of, NULL);
	return b->left == NULL ? !now : now && !removal_holds(b->x, d, b->at.of, b->left);
}

static void find_breaks(struct breaking *b, const struct dep *d)
{
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_ALL ||
			(d->kind == DEP_USE && removal_active(b->x, d, b->at.of))) {
			find_breaks(b, d->child);
		} else if (is_lost(b, d)) {
			b->at.node = d;
			vec_push(&b->out->list, b->at);
		}
	}
}

static bool find_breaks_of(struct breaking *b, size_t of, struct err *e)
{
	for (const enum pkg_key *k = removal_keys; *k != PKG_KEYS; k++) {
		const struct dep *tree;
		b->at = (struct removal_dep){ of, *k, NULL };
		if (!removal_tree(b->x, of, *k, &tree, e))
			return false;
		find_breaks(b, tree);
	}
	return true;
}

bool removal_breaks(
	const struct removal_input *in, const bool *gone, struct removal_deps *out, struct err *e)
{
	struct removal_index x;
	removal_index_init(&x, in);
	bool *left = xcalloc(in->n_installed + 1, sizeof *left);
	struct breaking b = { .x = &x, .left = left, .out = out };
	bool ok = true;
	for (size_t i = 0; i < in->n_installed; i++)
		left[i] = !gone[i];
	for (size_t i = 0; ok && i < in->n_installed; i++)
		ok = gone[i] || find_breaks_of(&b, i, e);
	free(left);
	removal_index_fini(&x);
	return ok;
}

bool removal_unmet(
	const struct removal_input *in, size_t first, struct removal_deps *out, struct err *e)
{
	struct removal_index x;
	removal_index_init(&x, in);
	struct breaking b = { .x = &x, .out = out };
	bool ok = true;
	for (size_t i = first; ok && i < in->n_installed; i++)
		ok = find_breaks_of(&b, i, e);
	removal_index_fini(&x);
	return ok;
}
