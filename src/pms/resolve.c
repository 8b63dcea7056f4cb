#include "resolve_int.h"

#include "dep.h"

#include <stdlib.h>
#include <string.h>

static bool take(struct resolver *r, const struct want *w, struct err *e);

static bool is_excluded(const struct resolver *r, const struct pkg *p)
{
	const struct strv *names = &r->in->opts.exclude;
	for (size_t i = 0; i < names->n; i++) {
		if (str_is(p->cp, names->v[i]) || str_is(p->pn, names->v[i]))
			return true;
	}
	return false;
}

static bool was_on(const struct pkg *installed, struct str flag)
{
	return pkg_iuse(installed, flag) != NULL && pkg_flag_on(installed, flag);
}

/*
 * Was the installed package built with other flags than it would be now? For --changed-use enabled
 * ones count, for --newuse those that came or went, too; not what the profile forces or masks.
 */
static bool use_differs(
	const struct resolve_opts *o, const struct pkg *installed, const struct pkg *wanted)
{
	for (size_t i = 0; i < wanted->n_iuse; i++) {
		const struct iuse *flag = &wanted->iuse[i];
		bool known = pkg_iuse(installed, flag->name) != NULL;
		if (flag->forced || flag->masked)
			continue;
		if (was_on(installed, flag->name) != flag->on || (o->newuse && !known))
			return true;
	}
	for (size_t i = 0; i < installed->n_iuse; i++) {
		struct str name = installed->iuse[i].name;
		if (pkg_iuse(wanted, name) == NULL && (o->newuse || was_on(installed, name)))
			return true;
	}
	return false;
}

/* Does an installed package satisfy the wish, so that nothing is to be taken? */
static bool stays(struct resolver *r, const struct want *w, const struct pkg *installed,
	const struct pkg *best)
{
	const struct resolve_opts *o = &r->in->opts;
	if (installed == NULL)
		return false;
	if (is_excluded(r, installed) || best == NULL)
		return true;
	if (w->parent == NULL && !o->noreplace && !o->update)
		return false;
	bool look = w->parent == NULL ? o->update : o->update && o->deep;
	if (look && (pkg_cmp(installed, best) < 0 || !str_eq(installed->slot, best->slot)))
		return false;
	return !(o->newuse || o->changed_use) || !use_differs(o, installed, best);
}

/* Items of an any-of group: the tokens, or all of a list. */
typedef bool each_atom(struct resolver *r, const struct atom *atom, struct err *e);

static bool all_of(struct resolver *r, const struct rnode *n, each_atom *ask, struct err *e)
{
	if (n->list == NULL)
		return n->atom == NULL || n->atom->block != ATOM_NO_BLOCK || ask(r, n->atom, e);
	for (size_t i = 0; i < n->list->n; i++) {
		if (!all_of(r, &n->list->v[i], ask, e))
			return false;
	}
	return true;
}

static bool is_there(struct resolver *r, const struct atom *atom, struct err *e)
{
	(void)e;
	return resolve_taken(r, atom) != NULL || resolve_installed(r, atom) != NULL ||
	       config_provided(r->in->config, atom);
}

static bool can_be(struct resolver *r, const struct atom *atom, struct err *e)
{
	return is_there(r, atom, e) || resolve_findable(r, atom, e);
}

/* The alternative to take: one that is there, else the leftmost that can be, else the first. */
static const struct rnode *choose(struct resolver *r, const struct rlist *group, struct err *e)
{
	static each_atom *const asks[] = { is_there, can_be };
	for (size_t ask = 0; ask < 2; ask++) {
		for (size_t i = 0; i < group->n; i++) {
			if (all_of(r, &group->v[i], asks[ask], e))
				return &group->v[i];
			if (e->code != ERR_NONE)
				return NULL;
		}
	}
	return group->n > 0 ? &group->v[0] : NULL;
}

/* The parent whose dependencies are walked, and how. */
struct walk {
	struct pkg *parent;
	bool build;
};

static bool walk_list(
	struct resolver *r, const struct walk *w, const struct rlist *list, struct err *e);

static bool walk_node(
	struct resolver *r, const struct walk *w, const struct rnode *n, struct err *e)
{
	if (n->list != NULL)
		return walk_list(r, w, n->list, e);
	if (n->atom == NULL || n->atom->block != ATOM_NO_BLOCK)
		return true;
	const struct want want = { n->atom, w->parent, w->build };
	return take(r, &want, e);
}

static bool walk_list(
	struct resolver *r, const struct walk *w, const struct rlist *list, struct err *e)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct rnode *n = &list->v[i];
		if (n->list == NULL && str_is(n->token, "||") && i + 1 < list->n &&
			list->v[i + 1].list != NULL)
			n = choose(r, list->v[++i].list, e);
		if (e->code != ERR_NONE || (n != NULL && !walk_node(r, w, n, e)))
			return false;
	}
	return true;
}

static bool walk_key(struct resolver *r, struct pkg *p, enum pkg_key key, struct err *e)
{
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	const struct reduce how = { .on = pkg_flag_on_cb, .on_ctx = p };
	const struct walk w = { p, key == PKG_DEPEND || key == PKG_BDEPEND };
	if (!pkg_deps(&r->in->repos->arena, p, key, &tree, e) ||
		!dep_reduce(r->a, tree, &how, &list, e))
		return err_in(e, "%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
	return list == NULL || walk_list(r, &w, list, e);
}

static bool walk_keys(struct resolver *r, struct pkg *p, const enum pkg_key *keys, struct err *e)
{
	bool ok = true;
	vec_push(&r->chain, p);
	for (size_t i = 0; ok && keys[i] != PKG_KEYS; i++)
		ok = walk_key(r, p, keys[i], e);
	r->chain.n--;
	return ok;
}

/* --deep: what stays installed may have dependencies with updates. */
static bool walk_installed(struct resolver *r, struct pkg *p, struct err *e)
{
	static const enum pkg_key keys[] = { PKG_RDEPEND, PKG_PDEPEND, PKG_KEYS };
	if (!r->in->opts.deep || r->in->opts.nodeps)
		return true;
	for (size_t i = 0; i < r->walked.n; i++) {
		if (r->walked.v[i] == p)
			return true;
	}
	vec_push(&r->walked, p);
	return walk_keys(r, p, keys, e);
}

static bool cycle(struct resolver *r, const struct want *w, struct err *e)
{
	return err_set(e, ERR_CONFLICT, "resolve.cycle",
		"%.*s is needed to build itself: %s\ninstall an earlier version of it first, or "
		"turn off the USE flag that asks for it",
		STR_ARG(w->atom->cp), resolve_chain_text(r));
}

static bool add(struct resolver *r, const struct want *w, struct pkg *p, struct err *e)
{
	static const enum pkg_key before[] = { PKG_BDEPEND, PKG_DEPEND, PKG_RDEPEND, PKG_IDEPEND,
		PKG_KEYS };
	static const enum pkg_key to_build[] = { PKG_BDEPEND, PKG_DEPEND, PKG_KEYS };
	static const enum pkg_key to_install[] = { PKG_BDEPEND, PKG_DEPEND, PKG_IDEPEND, PKG_KEYS };
	static const enum pkg_key after[] = { PKG_PDEPEND, PKG_KEYS };
	const struct resolve_opts *o = &r->in->opts;
	bool build_only = w->parent == NULL && o->onlydeps && o->onlydeps_no_rdeps;
	struct taken *t = arena_calloc(r->a, 1, sizeof *t);
	t->item = (struct resolve_item){ p, resolve_in_slot(r, p), w->parent, w->atom,
		w->parent == NULL };
	vec_push(&r->taken, t);
	resolve_note(r, w->atom, p);
	const enum pkg_key *keys = !build_only ? before : o->onlydeps_ideps ? to_install : to_build;
	if (!o->nodeps && !walk_keys(r, p, keys, e))
		return false;
	t->done = true;
	if (!(t->item.requested && o->onlydeps))
		vec_push(&r->out->list, t->item);
	return o->nodeps || build_only || walk_keys(r, p, after, e);
}

/* See to it that something satisfies the wish. */
static bool take(struct resolver *r, const struct want *w, struct err *e)
{
	struct taken *t = resolve_taken(r, w->atom);
	if (t != NULL) {
		bool building = !t->done && w->build && resolve_installed(r, w->atom) == NULL;
		return !building || cycle(r, w, e);
	}
	if (w->parent != NULL && config_provided(r->in->config, w->atom))
		return true;
	struct pkg *installed = resolve_installed(r, w->atom);
	const struct resolve_opts *o = &r->in->opts;
	if (installed != NULL && w->parent != NULL && !(o->update && o->deep) && !o->newuse &&
		!o->changed_use)
		return walk_installed(r, installed, e);
	struct err none = ERR_INIT;
	struct pkg *best = resolve_find(r, w, &none);
	if (best == NULL && installed == NULL) {
		*e = none;
		return false;
	}
	if (stays(r, w, installed, best))
		return walk_installed(r, installed, e);
	return add(r, w, best, e);
}

/* Do the blockers of p hit what is there in the end? */
static bool check_blocker(
	struct resolver *r, const struct pkg *p, const struct atom *block, struct err *e)
{
	for (size_t i = 0; i < r->out->list.n; i++) {
		const struct pkg *other = r->out->list.v[i].pkg;
		if (other != p && atom_match(block, other))
			return err_set(e, ERR_CONFLICT, "resolve.blocked",
				"%.*s/%.*s and %.*s/%.*s cannot both be installed: the first says "
				"%.*s",
				STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(other->cat),
				STR_ARG(other->pf), STR_ARG(block->text));
	}
	for (size_t i = 0; i < r->in->n_installed; i++) {
		const struct pkg *other = &r->in->installed[i];
		if (atom_match(block, other) && resolve_taken_slot(r, other) == NULL)
			return err_set(e, ERR_CONFLICT, "resolve.blocked",
				"%.*s/%.*s says %.*s, and %.*s/%.*s is installed; remove it first: "
				"eprefix emerge -C %.*s",
				STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(block->text),
				STR_ARG(other->cat), STR_ARG(other->pf), STR_ARG(other->cp));
	}
	return true;
}

static bool check_list(
	struct resolver *r, const struct pkg *p, const struct rlist *list, struct err *e)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct rnode *n = &list->v[i];
		if (n->atom != NULL && n->atom->block != ATOM_NO_BLOCK &&
			!check_blocker(r, p, n->atom, e))
			return false;
	}
	return true;
}

static bool check_blockers(struct resolver *r, struct err *e)
{
	static const enum pkg_key keys[] = { PKG_DEPEND, PKG_RDEPEND, PKG_PDEPEND };
	for (size_t i = 0; i < r->out->list.n; i++) {
		struct pkg *p = r->out->list.v[i].pkg;
		const struct reduce how = { .on = pkg_flag_on_cb, .on_ctx = p, .flat = true };
		for (size_t k = 0; k < 3; k++) {
			const struct dep *tree = NULL;
			struct rlist *list = NULL;
			if (!pkg_deps(&r->in->repos->arena, p, keys[k], &tree, e) ||
				!dep_reduce(r->a, tree, &how, &list, e) ||
				(list != NULL && !check_list(r, p, list, e)))
				return false;
		}
	}
	return true;
}

bool resolve(const struct resolve_input *in, struct resolution *out, struct err *e)
{
	*out = (struct resolution){ 0 };
	struct resolver r = { .in = in, .out = out, .a = &out->arena };
	bool ok = true;
	for (size_t i = 0; ok && i < in->n_requests; i++) {
		const struct want w = { in->requests[i], NULL, false };
		ok = take(&r, &w, e);
	}
	ok = ok && resolve_check_required(&r, e) && (in->opts.nodeps || check_blockers(&r, e));
	vec_fini(&r.taken);
	vec_fini(&r.walked);
	vec_fini(&r.chain);
	return ok;
}

void resolution_fini(struct resolution *r)
{
	vec_fini(&r->list);
	strv_fini(&r->keywords);
	strv_fini(&r->uses);
	strv_fini(&r->unmasks);
	arena_fini(&r->arena);
}
