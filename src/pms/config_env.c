#include "config_int.h"

#include <stdlib.h>

/* One file of etc/portage/env for a package. */
static bool read_env_file(
	const struct config *c, struct str name, const struct makeconf *m, struct err *e)
{
	char *path = xasprintf("%s/env/%.*s", c->user_dir, STR_ARG(name));
	struct strv files = STRV_INIT;
	bool ok = files_of(path, &files, e);
	if (ok && files.n == 0)
		ok = err_set(e, ERR_USAGE, "config.env",
			"%s is not there, though package.env names it", path);
	ok = ok && makeconf_read(m, path, e);
	strv_fini(&files);
	free(path);
	return ok;
}

/* The variables of all files that package.env names for the package. */
static bool read_env(const struct config *c, const struct pkg *p, struct vars *out, struct err *e)
{
	struct atom_lines lines = { 0 };
	struct vars expand = VARS_INIT;
	struct strv warnings = STRV_INIT;
	struct makeconf m = { .arena = c->texts, .expand = &expand, .out = out };
	m.warnings = &warnings;
	m.sourcing = true;
	bool ok = true;
	atom_table_match(&c->env.table, p, &lines);
	/* This is asked of every package, and few have lines. */
	bool any = c->env.n_global > 0 || lines.list.n > 0;
	for (size_t i = 0; any && i < c->expand.names.n; i++)
		vars_set(&expand, c->expand.names.v[i], vars_get(&c->expand, c->expand.names.v[i]));
	for (size_t i = 0; ok && i < c->env.n_global; i++)
		ok = read_env_file(c, c->env.global[i], &m, e);
	for (size_t i = 0; i < lines.list.n; i++) {
		for (size_t j = 0; ok && j < lines.list.v[i]->n; j++)
			ok = read_env_file(c, lines.list.v[i]->words[j], &m, e);
	}
	strv_fini(&warnings);
	vars_fini(&expand);
	vec_fini(&lines.list);
	return ok;
}

static bool any_env(const struct config *c)
{
	return c->env.n_global > 0 || c->env.table.all.list.n > 0;
}

bool config_env(const struct config *c, const struct pkg *p, struct config_env *out, struct err *e)
{
	struct vars vars = VARS_INIT;
	bool ok = !any_env(c) || read_env(c, p, &vars, e);
	for (size_t i = 0; ok && i < vars.names.n; i++) {
		const char *name = arena_strdup(c->texts, vars.names.v[i]);
		vec_push(&out->list, (struct config_assign){ name, vars_get(&vars, name) });
	}
	vars_fini(&vars);
	return ok;
}

void config_env_use(const struct config *c, const struct pkg *p, struct word_list *out)
{
	struct vars vars = VARS_INIT;
	struct err e = ERR_INIT; /* said again, and then refused, when the package is built */
	if (any_env(c) && read_env(c, p, &vars, &e)) {
		struct str use = str_of(vars_get(&vars, "USE")), word;
		while (str_word(&use, &word))
			vec_push(&out->list, word);
	}
	vars_fini(&vars);
}
