#include "config_int.h"

#include "eapi.h"

#include <string.h>

/* Lists that are made for one package and its question. */
struct question {
	const struct config *c;
	struct pkg *p;
	bool stable;
	struct atom_lines lines; /* scratch */
};

static void add_map(struct use_layers *to, const struct use_map *m)
{
	vec_push(&to->list, (struct use_layer){ .map = m });
}

/* The lines of a table that match, as layers. */
static void add_table(struct question *q, struct use_layers *to, const struct atom_table *t)
{
	if (t->all.list.n == 0)
		return;
	q->lines.list.n = 0;
	atom_table_match(t, q->p, &q->lines);
	for (size_t i = 0; i < q->lines.list.n; i++) {
		const struct atom_line *l = q->lines.list.v[i];
		vec_push(&to->list, (struct use_layer){ .words = l->words, .n = l->n });
	}
}

static bool names_package(const struct atom_table *t, const struct pkg *p)
{
	return t->wild.list.n > 0 || (t->by_cp.n > 0 && map_get(&t->by_cp, p->cp) != NULL);
}

/* Does any profile say something of this package in particular? */
static bool profiles_name(const struct question *q, size_t table)
{
	for (size_t i = 0; i < q->c->profiles.list.n; i++) {
		const char *policy = (const char *)q->c->profiles.list.v[i];
		if (names_package((const struct atom_table *)(policy + table), q->p))
			return true;
	}
	return false;
}

/* Masks and forces differ only in where they stand in a policy. */
struct mask_fields {
	size_t map, table, stable_map, stable_table;
};
#define AT(member) offsetof(struct policy, member)
static const struct mask_fields mask_fields = { AT(use_mask), AT(package_use_mask),
	AT(use_stable_mask), AT(package_use_stable_mask) };
static const struct mask_fields force_fields = { AT(use_force), AT(package_use_force),
	AT(use_stable_force), AT(package_use_stable_force) };

static void add_policy(struct question *q, const struct mask_fields *f, const struct policy *p,
	struct use_layers *to)
{
	const char *base = (const char *)p;
	add_map(to, (const struct use_map *)(base + f->map));
	if (q->stable)
		add_map(to, (const struct use_map *)(base + f->stable_map));
	add_table(q, to, (const struct atom_table *)(base + f->table));
	if (q->stable)
		add_table(q, to, (const struct atom_table *)(base + f->stable_table));
}

/* The policies of the package's repository, its masters' first. */
static const struct policy *repo_policy(const struct question *q, size_t i)
{
	const struct repo *r = q->p->repo;
	if (r == NULL || i > r->n_masters)
		return NULL;
	return &q->c->of_repo[(i < r->n_masters ? r->masters[i] : r)->index];
}

/* use.mask or use.force for the package, the lowest layer first. */
static void mask_layers(struct question *q, const struct mask_fields *f, struct use_layers *to)
{
	const struct policy *p;
	for (size_t i = 0; (p = repo_policy(q, i)) != NULL; i++)
		add_policy(q, f, p, to);
	bool named = profiles_name(q, f->table) || (q->stable && profiles_name(q, f->stable_table));
	for (size_t i = 0; named && i < q->c->profiles.list.n; i++)
		add_policy(q, f, q->c->profiles.list.v[i], to);
	const struct use_map *all = f == &mask_fields ? q->c->masked : q->c->forced;
	if (!named)
		add_map(to, &all[q->stable]);
}

static void add_defaults(struct question *q, struct use_layers *to)
{
	if (!profiles_name(q, AT(package_use))) {
		add_map(to, &q->c->use_defaults);
		return;
	}
	for (size_t i = 0; i < q->c->profiles.list.n; i++) {
		const struct policy *p = q->c->profiles.list.v[i];
		add_map(to, &p->defaults);
		add_table(q, to, &p->package_use);
	}
}

static void add_repository(struct question *q, struct use_layers *to)
{
	const struct policy *p;
	for (size_t i = 0; (p = repo_policy(q, i)) != NULL; i++) {
		add_map(to, &p->defaults);
		add_table(q, to, &p->package_use);
	}
}

/* FEATURES=test turns the flag of that name on, where the package lets itself be tested. */
static void add_features(const struct question *q, struct use_layers *to)
{
	static const struct str test = { "test", 4 };
	struct str rest = q->p->meta[PKG_RESTRICT], word;
	while (str_word(&rest, &word)) {
		if (str_is(word, "test"))
			return;
	}
	if (config_has(q->c, "FEATURES", "test"))
		vec_push(&to->list, (struct use_layer){ .words = &test, .n = 1 });
}

/* package.use, then the USE of package.env. */
static void add_user(struct question *q, struct use_layers *to)
{
	struct word_list env = { 0 };
	add_table(q, to, &q->c->use.table);
	config_env_use(q->c, q->p, &env);
	if (env.list.n > 0) {
		struct str *kept = arena_alloc(q->c->texts, env.list.n * sizeof *kept);
		memcpy(kept, env.list.v, env.list.n * sizeof *kept);
		vec_push(&to->list, (struct use_layer){ .words = kept, .n = env.list.n });
	}
	vec_fini(&env.list);
}

/* One source of USE, by its name in USE_ORDER. */
static void add_source(struct question *q, struct str name, struct use_layers *to)
{
	if (str_is(name, "env"))
		add_map(to, &q->c->use_env);
	else if (str_is(name, "pkg"))
		add_user(q, to);
	else if (str_is(name, "conf"))
		add_map(to, &q->c->use_conf);
	else if (str_is(name, "defaults"))
		add_defaults(q, to);
	else if (str_is(name, "features"))
		add_features(q, to);
	else if (str_is(name, "repo"))
		add_repository(q, to);
	else if (str_is(name, "env.d"))
		add_map(to, &q->c->use_env_d);
}

/* The sources of USE_ORDER, which names the highest first; IUSE's own presets cut it in two. */
static void use_layers(struct question *q, struct use_layers *above, struct use_layers *below)
{
	struct str order = str_of(config_var(q->c, "USE_ORDER")), name;
	struct use_layers *to = below;
	for (size_t end = order.n; end > 0;) {
		size_t start = end;
		while (start > 0 && order.p[start - 1] != ':')
			start--;
		name = (struct str){ order.p + start, end - start };
		end = start > 0 ? start - 1 : 0;
		if (str_is(name, "pkginternal"))
			to = above;
		else
			add_source(q, name, to);
	}
}

static bool enabled(
	const struct iuse *flag, const struct use_layers *above, const struct use_layers *below)
{
	int says = use_layers_get(above, flag->name);
	if (says == 0 && flag->preset != '\0')
		says = flag->preset == '+' ? 1 : -1;
	return (says != 0 ? says : use_layers_get(below, flag->name)) > 0;
}

void config_use(const struct config *c, struct pkg *p)
{
	if (p->use_done || p->kind == PKG_INSTALLED)
		return;
	p->use_done = true;
	bool old = !(eapi_features(p->eapi) & EAPI_IUSE_EFFECTIVE);
	p->implicit = old ? &c->implicit_old : &c->implicit;
	if (p->n_iuse == 0)
		return;
	struct question q = { .c = c, .p = p };
	q.stable = c->any_stable && config_is_stable(c, p);
	struct use_layers above = { 0 }, below = { 0 }, mask = { 0 }, force = { 0 };
	use_layers(&q, &above, &below);
	mask_layers(&q, &mask_fields, &mask);
	mask_layers(&q, &force_fields, &force);
	for (size_t i = 0; i < p->n_iuse; i++) {
		struct iuse *flag = &p->iuse[i];
		flag->forced = use_layers_get(&force, flag->name) > 0;
		flag->masked = use_layers_get(&mask, flag->name) > 0;
		flag->on = (flag->forced || enabled(flag, &above, &below)) && !flag->masked;
	}
	vec_fini(&above.list);
	vec_fini(&below.list);
	vec_fini(&mask.list);
	vec_fini(&force.list);
	vec_fini(&q.lines.list);
}

void config_user_use(const struct config *c, const struct pkg *p, struct strv *out)
{
	struct atom_lines lines = { 0 };
	atom_table_match(&c->use.table, p, &lines);
	for (size_t i = 0; i < lines.list.n; i++) {
		const struct atom_line *l = lines.list.v[i];
		for (size_t j = 0; j < l->n; j++)
			strv_own(out, xstrndup(l->words[j].p, l->words[j].n));
	}
	vec_fini(&lines.list);
}
