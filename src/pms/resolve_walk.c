#include "resolve_oracle.h"

static bool take(struct resolver *r, const struct want *w, struct err *e);

const char *resolve_chain_text(struct resolver *r)
{
	const char *text = "";
	for (size_t i = 0; i < r->chain.n; i++) {
		const struct pkg *p = r->chain.v[i];
		text = arena_printf(r->a, "%.*s/%.*s%s%s", STR_ARG(p->cat), STR_ARG(p->pf),
			i > 0 ? " <- " : "", text);
	}
	return text;
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

/* Needed to build something, yet not there before that is built. */
static bool is_too_late(const struct resolver *r, const struct atom *atom)
{
	const struct taken *t = resolve_taken(r, atom);
	return r->building && t != NULL && !t->done && resolve_installed(r, atom) == NULL;
}

static bool is_there(struct resolver *r, const struct atom *atom, struct err *e)
{
	(void)e;
	return (resolve_taken(r, atom) != NULL && !is_too_late(r, atom)) ||
	       resolve_installed(r, atom) != NULL || config_provided(r->in->config, atom);
}

/* Another version than the highest of its name is a poorer choice. */
static bool can_be_best(struct resolver *r, const struct atom *atom, struct err *e)
{
	const struct atom bare = { .text = atom->cp,
		.cp = atom->cp,
		.cat = atom->cat,
		.pn = atom->pn,
		.slot = atom->slot };
	const struct want w = { &bare, NULL, false, false };
	struct err none = ERR_INIT;
	if (is_there(r, atom, e))
		return true;
	const struct pkg *best = is_too_late(r, atom) ? NULL : resolve_find(r, &w, &none);
	return best != NULL && atom_match(atom, best);
}

static bool can_be(struct resolver *r, const struct atom *atom, struct err *e)
{
	return is_there(r, atom, e) || (!is_too_late(r, atom) && resolve_findable(r, atom, e));
}

static bool any(struct resolver *r, const struct atom *atom, struct err *e)
{
	(void)r;
	(void)atom;
	(void)e;
	return true;
}

/* The alternative to take: one that is there, else the leftmost that can be, else the first. */
static const struct rnode *choose(
	struct resolver *r, const struct rlist *group, bool building, struct err *e)
{
	static each_atom *const asks[] = { is_there, can_be_best, can_be, any };
	r->building = building;
	for (size_t ask = 0; ask < sizeof asks / sizeof *asks; ask++) {
		for (size_t i = 0; i < group->n; i++) {
			const struct rnode *n = &group->v[i];
			bool yes = all_of(r, n, asks[ask], e);
			if (e->code != ERR_NONE)
				return NULL;
			if (yes && (r->oracle == NULL ||
					   oracle_try(r->oracle, oracle_node(r->oracle, n))))
				return n;
		}
	}
	return NULL;
}

/* The parent whose dependencies are walked, and how. */
struct walk {
	struct pkg *parent;
	bool build;
};

static bool walk_list(
	struct resolver *r, const struct walk *w, const struct rlist *list, struct err *e);

/* Records keep the sub-slot that a package was built with; an update may look beyond it. */
static const struct atom *unbound(struct resolver *r, const struct walk *w, const struct atom *atom)
{
	if (w->parent->kind != PKG_INSTALLED || atom->slot_op != '=' || atom->subslot.n == 0 ||
		!r->in->opts.update)
		return atom;
	struct atom *copy = arena_alloc(r->a, sizeof *copy);
	*copy = *atom;
	copy->subslot = STR("");
	return copy;
}

static bool walk_node(
	struct resolver *r, const struct walk *w, const struct rnode *n, struct err *e)
{
	if (n->list != NULL)
		return walk_list(r, w, n->list, e);
	if (n->atom == NULL || n->atom->block != ATOM_NO_BLOCK)
		return true;
	const struct want want = { unbound(r, w, n->atom), w->parent, w->build, false };
	return take(r, &want, e);
}

static bool walk_list(
	struct resolver *r, const struct walk *w, const struct rlist *list, struct err *e)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct rnode *n = &list->v[i];
		if (n->list == NULL && str_is(n->token, "||") && i + 1 < list->n &&
			list->v[i + 1].list != NULL)
			n = choose(r, list->v[++i].list, w->build, e);
		if (e->code != ERR_NONE || (n != NULL && !walk_node(r, w, n, e)))
			return false;
	}
	return true;
}

/* --with-test-deps: a requested package as if its test flag were on. */
static bool with_test(const void *pkg, struct str flag)
{
	return str_is(flag, "test") || pkg_flag_on(pkg, flag);
}

static bool is_requested(const struct resolver *r, const struct pkg *p)
{
	const struct taken *t = resolve_taken_slot(r, p);
	return t != NULL && t->item.pkg == p && t->item.requested;
}

static bool has_test(const struct pkg *p)
{
	const struct iuse *flag = pkg_iuse(p, STR("test"));
	return flag != NULL && !flag->masked;
}

static bool walk_key(struct resolver *r, struct pkg *p, enum pkg_key key, struct err *e)
{
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	bool test = r->in->opts.test_deps && is_requested(r, p) && has_test(p);
	const struct reduce how = { .on = test ? with_test : pkg_flag_on_cb, .on_ctx = p };
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
	bool *walked = &r->walked[resolve_at(r, p)];
	if (*walked || r->in->opts.nodeps)
		return true;
	*walked = true;
	vec_push(&r->kept, p);
	return !resolve_is_deep(r, r->chain.n + 1) || walk_keys(r, p, keys, e);
}

/* What is being built needs itself: the packages from it to the end of the chain. */
static bool circle(struct resolver *r, const struct want *w, const struct taken *t, struct err *e)
{
	size_t from = r->chain.n;
	while (from > 0 && r->chain.v[from - 1] != t->item.pkg)
		from--;
	r->circle.n = 0;
	for (size_t i = from > 0 ? from - 1 : 0; i < r->chain.n; i++)
		vec_push(&r->circle, r->chain.v[i]);
	return err_set(e, ERR_CONFLICT, "resolve.cycle", "%.*s is needed to build itself: %s\n%s",
		STR_ARG(w->atom->cp), resolve_chain_text(r), resolve_circle_help(r));
}

static bool add(struct resolver *r, const struct want *w, struct pkg *p, struct err *e)
{
	static const enum pkg_key before[] = { PKG_BDEPEND, PKG_DEPEND, PKG_RDEPEND, PKG_IDEPEND,
		PKG_KEYS };
	static const enum pkg_key to_build[] = { PKG_BDEPEND, PKG_DEPEND, PKG_KEYS };
	static const enum pkg_key to_install[] = { PKG_BDEPEND, PKG_DEPEND, PKG_IDEPEND, PKG_KEYS };
	static const enum pkg_key after[] = { PKG_PDEPEND, PKG_KEYS };
	const struct resolve_opts *o = &r->in->opts;
	bool requested = w->parent == NULL && !w->forced;
	bool build_only = requested && o->onlydeps && o->onlydeps_no_rdeps;
	struct taken *t = arena_calloc(r->a, 1, sizeof *t);
	struct pkg *old = resolve_in_slot(r, p);
	t->item = (struct resolve_item){ p, old, w->parent, w->atom, requested,
		old != NULL && (r->rebuild[resolve_at(r, old)] || r->renew[resolve_at(r, old)]) &&
			pkg_cmp(old, p) == 0 };
	vec_push(&r->taken, t);
	vec_push(&resolve_name(r, p->cp)->taken, t);
	if (r->oracle != NULL)
		oracle_flags(r->oracle, p);
	resolve_note(r, w->atom, p);
	const enum pkg_key *keys = !build_only ? before : o->onlydeps_ideps ? to_install : to_build;
	if (!o->nodeps && !walk_keys(r, p, keys, e))
		return false;
	t->done = true;
	if (!(requested && o->onlydeps))
		vec_push(&r->out->list, t->item);
	return o->nodeps || build_only || walk_keys(r, p, after, e);
}

/* An installed package works as it is, whatever its record asks for. */
static bool may_lack(const struct resolver *r, const struct want *w, struct err *e)
{
	if (w->parent == NULL || w->parent->kind != PKG_INSTALLED || e->code != ERR_CONFLICT ||
		r->circle.n > 0 || strcmp(e->what, "resolve.find") != 0)
		return false;
	*e = ERR_INIT;
	return true;
}

/* See to it that something satisfies the wish. */
static bool take(struct resolver *r, const struct want *w, struct err *e)
{
	struct taken *t = resolve_taken(r, w->atom);
	if (t != NULL) {
		bool building = !t->done && w->build && resolve_installed(r, w->atom) == NULL;
		return !building || circle(r, w, t, e);
	}
	if (w->parent != NULL && config_provided(r->in->config, w->atom))
		return true;
	struct pkg *installed = resolve_installed(r, w->atom);
	const struct resolve_opts *o = &r->in->opts;
	if (installed != NULL && w->parent != NULL &&
		!(o->update && resolve_is_deep(r, r->chain.n)) && !o->newuse && !o->changed_use &&
		r->oracle == NULL && !resolve_to_be_replaced(r, installed))
		return walk_installed(r, installed, e);
	struct pick p = { NULL, false };
	bool inner = r->chain.n > 0;
	if (!resolve_pick(r, w, installed, &p, e))
		return inner && may_lack(r, w, e);
	return p.stays ? walk_installed(r, p.pkg, e) : add(r, w, p.pkg, e);
}

void resolve_walk_reset(struct resolver *r)
{
	for (size_t i = 0; i < r->taken.n; i++)
		resolve_name(r, r->taken.v[i]->item.pkg->cp)->taken.n = 0;
	r->taken.n = r->kept.n = r->chain.n = r->circle.n = r->out->list.n = 0;
	memset(r->walked, 0, r->in->n_installed * sizeof *r->walked);
	strv_fini(&r->out->keywords);
	strv_fini(&r->out->uses);
	strv_fini(&r->out->unmasks);
	strv_fini(&r->out->licenses);
	r->out->removals.n = 0;
	memset(r->removed, 0, r->in->n_installed * sizeof *r->removed);
}

/* What has to be replaced and was not met on the way. */
static bool replace_rest(struct resolver *r, struct err *e)
{
	for (size_t i = 0; i < r->in->n_installed; i++) {
		struct pkg *p = &r->in->installed[i];
		if (!(r->rebuild[i] || r->renew[i]) || resolve_taken_slot(r, p) != NULL)
			continue;
		struct atom *atom = arena_calloc(r->a, 1, sizeof *atom);
		*atom = (struct atom){ .cp = p->cp, .cat = p->cat, .pn = p->pn, .slot = p->slot };
		atom->text =
			str_of(arena_printf(r->a, "%.*s:%.*s", STR_ARG(p->cp), STR_ARG(p->slot)));
		const struct want w = { atom, NULL, false, true };
		if (!take(r, &w, e))
			return false;
	}
	return true;
}

static bool walk_need(struct resolver *r, const struct need *n, struct err *e)
{
	struct dep alone = *n->node;
	struct rlist *list = NULL;
	const struct reduce how = { .on = pkg_flag_on_cb, .on_ctx = n->of };
	const struct walk w = { n->of, false };
	alone.next = NULL;
	if (!dep_reduce(r->a, &alone, &how, &list, e))
		return false;
	vec_push(&r->chain, n->of);
	bool ok = list == NULL || walk_list(r, &w, list, e);
	r->chain.n--;
	return ok;
}

/* What installed packages lose by the list is replaced by something else. */
static bool mend(struct resolver *r, struct err *e)
{
	for (size_t before = r->taken.n + 1; before != r->taken.n;) {
		before = r->taken.n;
		for (size_t i = 0; i < r->oracle->risks.n; i++) {
			const struct need n = r->oracle->risks.v[i];
			const struct cand *c = n.of->user;
			if (resolve_need_will_hold(r, &n) || !oracle_try(r->oracle, c->var))
				continue;
			if (!walk_need(r, &n, e))
				return false;
		}
	}
	return true;
}

/* What is asked for comes before what that needs. */
static bool decide(struct resolver *r, const struct atom *request, struct err *e)
{
	const struct want w = { request, NULL, false, false };
	struct pick p = { NULL, false };
	return resolve_pick(r, &w, resolve_installed(r, request), &p, e);
}

bool resolve_walk(struct resolver *r, struct err *e)
{
	for (size_t i = 0; i < r->in->n_requests && r->oracle != NULL; i++) {
		if (!decide(r, r->in->requests[i], e))
			return false;
	}
	for (size_t i = 0; i < r->in->n_requests; i++) {
		const struct want w = { r->in->requests[i], NULL, false, false };
		if (!take(r, &w, e))
			return false;
	}
	return replace_rest(r, e) && (r->oracle == NULL || mend(r, e));
}
