#include "config_int.h"

#include "fs.h"

#include <stdlib.h>
#include <string.h>

bool config_load(struct config **out, const struct config_options *o, struct err *e)
{
	struct config *c = xcalloc(1, sizeof *c);
	c->texts = &c->arena;
	c->repos = o->repos;
	c->eprefix = xstrdup(o->eprefix);
	c->user_dir =
		path_join(o->config_root != NULL ? o->config_root : o->eprefix, "etc/portage");
	bool ok = config_read_layers(c, o, e) && config_read_user_files(c, e);
	if (ok) {
		config_read_license_groups(c);
		config_stack(c);
	} else {
		config_free(c);
	}
	*out = ok ? c : NULL;
	return ok;
}

static void free_table(struct user_table *t)
{
	atom_table_fini(&t->table);
}

static void free_lists(struct config *c)
{
	struct word_list *lists[] = { &c->accept_keywords, &c->env_keywords, &c->testing_keywords,
		&c->accept_license, &c->accept_properties, &c->accept_restrict };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		vec_fini(&lists[i]->list);
	for (size_t i = 0; i < c->license_groups.cap; i++) {
		struct word_list *l = c->license_groups.slots[i].value;
		if (l != NULL)
			vec_fini(&l->list);
	}
	map_fini(&c->license_groups);
}

static void free_tables(struct config *c)
{
	struct user_table *tables[] = { &c->use, &c->keywords, &c->license, &c->properties,
		&c->restrict_, &c->env };
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		free_table(tables[i]);
	atom_table_fini(&c->mask);
	atom_table_fini(&c->unmask);
}

static void free_maps(struct config *c)
{
	struct use_map *maps[] = { &c->use_conf, &c->use_env, &c->use_env_d, &c->use_defaults,
		&c->masked[0], &c->masked[1], &c->forced[0], &c->forced[1] };
	struct map *sets[] = { &c->implicit.valid, &c->implicit.on, &c->implicit_old.valid,
		&c->implicit_old.on };
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		use_map_fini(maps[i]);
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		map_fini(sets[i]);
}

void config_free(struct config *c)
{
	if (c == NULL)
		return;
	free_lists(c);
	free_tables(c);
	free_maps(c);
	profiles_fini(&c->profiles);
	for (size_t i = 0; c->of_repo != NULL && i < c->repos->list.n; i++)
		policy_fini(&c->of_repo[i]);
	for (size_t i = 0; i < LAYERS; i++)
		vars_fini(&c->layer[i]);
	vars_fini(&c->expand);
	vars_fini(&c->final);
	strv_fini(&c->warnings);
	arena_fini(&c->arena);
	free(c->eprefix);
	free(c->user_dir);
	free(c);
}

const struct strv *config_warnings(const struct config *c)
{
	return &c->warnings;
}

const char *config_var(const struct config *c, const char *name)
{
	const char *value = vars_get(&c->final, name);
	return value != NULL ? value : "";
}

bool config_has(const struct config *c, const char *name, const char *word)
{
	struct str rest = str_of(config_var(c, name)), one;
	while (str_word(&rest, &one)) {
		if (str_is(one, word))
			return true;
	}
	return false;
}
