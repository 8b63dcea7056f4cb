#include "depclean_int.h"

#include <stdlib.h>
#include <string.h>

/* What is walked: the dependencies of one field. */
struct place {
	size_t of;
	enum pkg_key key;
};
/* A group of alternatives that is decided when nothing else is left to do. */
struct choice {
	struct place at;
	const struct dep *group;
};

struct cleaner {
	struct removal_index x;
	struct depclean *out;
	VEC(size_t) todo; /* kept packages whose dependencies were not looked at */
	VEC(struct choice) choices;
};

static void keep(struct cleaner *c, size_t i)
{
	if (c->out->kept[i])
		return;
	c->out->kept[i] = true;
	vec_push(&c->todo, i);
}

static void keep_for(struct cleaner *c, size_t from, size_t to, const struct dep *node)
{
	keep(c, to);
	vec_push(&c->out->links, (struct depclean_link){ from, to, node });
}

static void unmet(struct cleaner *c, const struct place *at, const struct dep *node)
{
	if (!removal_key_is_soft(at->key))
		vec_push(&c->out->unmet.list, (struct removal_dep){ at->of, at->key, node });
}

static void walk_atom(struct cleaner *c, const struct place *at, const struct dep *d)
{
	if (d->atom->block != ATOM_NO_BLOCK)
		return;
	const struct atom *atom = removal_atom(&c->x, d, at->of);
	size_t to = removal_find(&c->x, atom, NULL);
	if (to != REMOVAL_NONE)
		keep_for(c, at->of, to, d);
	else if (!removal_holds(&c->x, d, at->of, NULL))
		unmet(c, at, d);
}

static void walk(struct cleaner *c, const struct place *at, const struct dep *d);

static void walk_node(struct cleaner *c, const struct place *at, const struct dep *d)
{
	if (d->kind == DEP_ATOM)
		walk_atom(c, at, d);
	else if (d->kind == DEP_ALL || (d->kind == DEP_USE && removal_active(&c->x, d, at->of)))
		walk(c, at, d->child);
	else if (d->kind == DEP_ANY || d->kind == DEP_ONE)
		vec_push(&c->choices, (struct choice){ *at, d });
}

static void walk(struct cleaner *c, const struct place *at, const struct dep *d)
{
	for (; d != NULL; d = d->next)
		walk_node(c, at, d);
}

/* The first alternative that holds with the packages of `have`. */
static const struct dep *first_that_holds(
	struct cleaner *c, const struct choice *choice, const bool *have)
{
	for (const struct dep *d = choice->group->child; d != NULL; d = d->next) {
		bool left_out = d->kind == DEP_USE && !removal_active(&c->x, d, choice->at.of);
		if (!left_out && removal_holds(&c->x, d, choice->at.of, have))
			return d;
	}
	return NULL;
}

/* What the alternative needs of the packages that stay, so that it is known who needs them. */
static void link_kept(struct cleaner *c, const struct place *at, const struct dep *d)
{
	if (d->kind == DEP_ATOM && d->atom->block == ATOM_NO_BLOCK) {
		size_t to = removal_find(&c->x, removal_atom(&c->x, d, at->of), c->out->kept);
		if (to != REMOVAL_NONE)
			vec_push(&c->out->links, (struct depclean_link){ at->of, to, d });
		return;
	}
	for (const struct dep *inner = d->child; inner != NULL; inner = inner->next)
		link_kept(c, at, inner);
}

/*
 * The installed packages that the group speaks of, with more demands than being there: a virtual
 * costs nothing where what it stands for stays anyway, and what is masked now is the last choice.
 */
static void mark_free(struct cleaner *c, const struct dep *d, size_t of, bool *have)
{
	if (d->kind == DEP_ATOM) {
		size_t i = removal_find(&c->x, removal_atom(&c->x, d, of), NULL);
		const struct dep *tree = NULL;
		struct err ignored = ERR_INIT;
		if (i == REMOVAL_NONE || have[i] || !str_is(c->x.in->installed[i].cat, "virtual") ||
			!removal_tree(&c->x, i, PKG_RDEPEND, &tree, &ignored))
			return;
		have[i] = true;
		for (; tree != NULL; tree = tree->next)
			have[i] = have[i] && removal_holds(&c->x, tree, i, c->out->kept);
		return;
	}
	for (const struct dep *inner = d->child; inner != NULL; inner = inner->next)
		mark_free(c, inner, of, have);
}

/* Few are asked about this, so a view leaves out what masks rest on. */
static bool is_visible(const struct removal_input *in, size_t i)
{
	static const char *const fields[] = { "KEYWORDS", "LICENSE", "PROPERTIES", "RESTRICT" };
	struct pkg *p = &in->installed[i];
	for (size_t k = 0; in->field != NULL && !p->mask_done && k < 4; k++)
		pkg_set_field(
			in->arena, p, str_of(fields[k]), str_of(in->field(in->ctx, i, fields[k])));
	return in->config == NULL || config_visible(in->config, p, NULL);
}

static void mark_visible(struct cleaner *c, const struct dep *d, size_t of, bool *have)
{
	if (d->kind == DEP_ATOM) {
		size_t i = removal_find(&c->x, removal_atom(&c->x, d, of), NULL);
		if (i != REMOVAL_NONE)
			have[i] = is_visible(c->x.in, i);
		return;
	}
	for (const struct dep *inner = d->child; inner != NULL; inner = inner->next)
		mark_visible(c, inner, of, have);
}

/* The alternative to keep beside what stays anyway; NULL: none is installed. */
static const struct dep *best_alternative(struct cleaner *c, const struct choice *choice)
{
	size_t n = c->x.in->n_installed;
	bool *have = xcalloc(n + 1, sizeof *have);
	memcpy(have, c->out->kept, n * sizeof *have);
	mark_free(c, choice->group, choice->at.of, have);
	const struct dep *d = first_that_holds(c, choice, have);
	if (d == NULL) {
		mark_visible(c, choice->group, choice->at.of, have);
		d = first_that_holds(c, choice, have);
	}
	free(have);
	return d != NULL ? d : first_that_holds(c, choice, NULL);
}

static void decide(struct cleaner *c, const struct choice *choice)
{
	const struct dep *d = best_alternative(c, choice);
	if (d != NULL && removal_holds(&c->x, d, choice->at.of, c->out->kept))
		link_kept(c, &choice->at, d);
	else if (d != NULL)
		walk_node(c, &choice->at, d);
	else if (!removal_holds(&c->x, choice->group, choice->at.of, NULL))
		unmet(c, &choice->at, choice->group);
}

static bool walk_package(struct cleaner *c, size_t i, struct err *e)
{
	for (const enum pkg_key *k = removal_keys; *k != PKG_KEYS; k++) {
		const struct place at = { i, *k };
		const struct dep *tree;
		if (!removal_tree(&c->x, i, *k, &tree, e))
			return false;
		walk(c, &at, tree);
	}
	return true;
}

/* Plain dependencies first: what they keep may satisfy an any-of. */
static bool settle(struct cleaner *c, struct err *e)
{
	for (size_t next = 0; c->todo.n > 0 || next < c->choices.n;) {
		if (c->todo.n > 0) {
			if (!walk_package(c, c->todo.v[--c->todo.n], e))
				return false;
		} else {
			const struct choice choice = c->choices.v[next++];
			decide(c, &choice);
		}
	}
	c->choices.n = 0;
	return true;
}

/* Calls visit for each "class:soname" of "x86_64: liba.so.1 libb.so.2 arm_32: …". */
typedef bool visit_soname(void *ctx, struct str soname);
static bool each_soname(struct cleaner *c, const char *text, visit_soname *visit, void *ctx)
{
	struct str rest = str_of(text), word, class = STR("");
	while (str_word(&rest, &word)) {
		if (word.p[word.n - 1] == ':') {
			class = word;
			continue;
		}
		const char *name =
			arena_printf(&c->x.arena, "%.*s%.*s", STR_ARG(class), STR_ARG(word));
		if (visit(ctx, str_of(name)))
			return true;
	}
	return false;
}

static bool add_soname(void *ctx, struct str soname)
{
	map_set(ctx, soname, ctx);
	return false;
}

static const char *field(const struct cleaner *c, size_t i, const char *name)
{
	return c->x.in->field(c->x.in->ctx, i, name);
}

/* A kept package that is linked with a library that no kept one provides. */
struct linking {
	struct cleaner *c;
	struct map provided; /* by what stays */
	struct map removed; /* by what would go: soname → index + 1 of v */
	size_t of;
	bool changed;
};

static bool is_soname(void *ctx, struct str soname)
{
	const struct str *wanted = ctx;
	return str_eq(*wanted, soname);
}

static bool check_soname(void *ctx, struct str soname)
{
	struct linking *l = ctx;
	struct cleaner *c = l->c;
	if (map_get(&l->provided, soname) != NULL || map_get(&l->removed, soname) == NULL)
		return false;
	for (size_t i = 0; i < c->x.in->n_installed; i++) {
		if (c->out->kept[i] || !each_soname(c, field(c, i, "PROVIDES"), is_soname, &soname))
			continue;
		keep_for(c, l->of, i, NULL);
		each_soname(c, field(c, i, "PROVIDES"), add_soname, &l->provided);
		l->changed = true;
		break;
	}
	return false;
}

/* Keep those whose libraries are needed; true in *changed when there were any. */
static void keep_libraries(struct cleaner *c, bool *changed)
{
	struct linking l = { .c = c };
	size_t n = c->x.in->n_installed;
	for (size_t i = 0; i < n; i++)
		each_soname(c, field(c, i, "PROVIDES"), add_soname,
			c->out->kept[i] ? &l.provided : &l.removed);
	for (l.of = 0; l.of < n && l.removed.n > 0; l.of++) {
		if (c->out->kept[l.of])
			each_soname(c, field(c, l.of, "REQUIRES"), check_soname, &l);
	}
	*changed = l.changed;
	map_fini(&l.provided);
	map_fini(&l.removed);
}

static size_t count_kept(const struct cleaner *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->x.in->n_installed; i++)
		n += c->out->kept[i];
	return n;
}

static bool clean(struct cleaner *c, const struct depclean_request *request, struct err *e)
{
	size_t n = c->x.in->n_installed;
	for (size_t i = 0; i < n; i++) {
		if (request->stay != NULL && request->stay[i])
			keep(c, i);
	}
	for (size_t i = 0; i < request->n_needed; i++) {
		size_t at = removal_find(&c->x, request->needed[i], NULL);
		if (at != REMOVAL_NONE)
			keep(c, at);
	}
	if (!settle(c, e))
		return false;
	bool changed = c->x.in->field != NULL;
	while (changed && count_kept(c) < n) {
		keep_libraries(c, &changed);
		if (!settle(c, e))
			return false;
	}
	return true;
}

bool depclean(const struct removal_input *in, const struct depclean_request *request,
	struct depclean *out, struct err *e)
{
	struct cleaner c = { .out = out };
	*out = (struct depclean){ .kept = xcalloc(in->n_installed + 1, sizeof(bool)) };
	removal_index_init(&c.x, in);
	bool ok = clean(&c, request, e) && depclean_order(&c.x, out, e);
	vec_fini(&c.todo);
	vec_fini(&c.choices);
	removal_index_fini(&c.x);
	return ok;
}

void depclean_fini(struct depclean *d)
{
	free(d->kept);
	vec_fini(&d->remove);
	vec_fini(&d->links);
	vec_fini(&d->unmet.list);
	*d = (struct depclean){ 0 };
}
