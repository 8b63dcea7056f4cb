#include "emerge.h"

#include "atom.h"
#include "fs.h"
#include "version.h"
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool push(struct emerge *m, const struct atom *atom)
{
	vec_push(&m->requests, atom);
	return true;
}

/* *e for a name that no repository has. */
static void no_such(struct emerge *m, struct str name, struct err *e)
{
	const char *near = emerge_near(m, name);
	if (near != NULL)
		err_set(e, ERR_CONFLICT, "emerge.name",
			"there is no package named %.*s in any repository; did you mean %s?",
			STR_ARG(name), near);
	else
		err_set(e, ERR_CONFLICT, "emerge.name",
			"there is no package named %.*s in any repository; "
			"`eprefix query list` shows what is installed",
			STR_ARG(name));
}

/* "make" or "make-4.4" → the operand with its category, the arena's. */
static const char *with_category(struct emerge *m, const char *text, struct err *e)
{
	size_t op = strspn(text, "<>=~!");
	size_t n = strcspn(text + op, ":[");
	struct strv names = STRV_INIT;
	struct str pn = { text + op, n };
	struct cpv parts;
	char *guess = xasprintf("x/%.*s", (int)n, text + op);
	if (op > 0 && cpv_split(str_of(guess), &parts))
		pn = (struct str){ text + op, parts.pn.n };
	const char *found = NULL;
	if (pn.n == 0) {
		err_set(e, ERR_USAGE, "emerge.name",
			"\"%s\" names no package; an atom is [OPERATOR][CATEGORY/]NAME[-VERSION]",
			text);
		goto out;
	}
	if (!repo_short_name(m->engine.repos, pn, &names, e))
		goto out;
	if (names.n == 1) {
		const char *slash = strchr(names.v[0], '/');
		found = arena_printf(&m->arena, "%.*s%.*s/%s", (int)op, text,
			(int)(slash - names.v[0]), names.v[0], text + op);
	} else if (names.n == 0) {
		no_such(m, pn, e);
	} else {
		struct buf all = BUF_INIT;
		for (size_t i = 0; i < names.n; i++)
			buf_printf(&all, "%s%s", i > 0 ? ", " : "", names.v[i]);
		err_set(e, ERR_CONFLICT, "emerge.name",
			"the short name %.*s is ambiguous; say one of %s", STR_ARG(pn),
			buf_str(&all));
		buf_fini(&all);
	}
out:
	free(guess);
	strv_fini(&names);
	return found;
}

static const struct atom *atom_of(struct emerge *m, const char *text, struct err *e)
{
	const char *full = strchr(text, '/') != NULL ? arena_strdup(&m->arena, text)
						     : with_category(m, text, e);
	if (full == NULL)
		return NULL;
	return atom_parse(&m->arena, str_of(full), STR(""), ATOM_REPO, e);
}

static bool add_entries(struct emerge *m, struct set_list *list, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < list->list.n; i++)
		ok = list->list.v[i].atom != NULL ? push(m, list->list.v[i].atom)
						  : emerge_set(m, list->list.v[i].set, e);
	vec_fini(&list->list);
	return ok;
}

/* Is some version of it visible, or there already? */
static bool is_available(struct emerge *m, const struct atom *atom)
{
	for (size_t i = 0; i < m->installed.n; i++) {
		if (atom_match_but_use(atom, &m->installed.v[i]))
			return true;
	}
	const struct package *all = repo_package(m->engine.repos, atom->cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct err ignored = ERR_INIT;
		if (pkg_load(m->engine.repos, all->v[i], &ignored) &&
			atom_match_but_use(atom, all->v[i]) &&
			config_visible(m->engine.config, all->v[i], NULL))
			return true;
	}
	return config_provided(m->engine.config, atom);
}

/* What is asked for by name must be had; of the world file the rest is worth a run, too. */
static bool push_world(struct emerge *m, const struct atom *a)
{
	if (is_available(m, a))
		return push(m, a);
	cli_warn("the world file names %.*s, which is masked or in no repository; "
		 "`eprefix emerge --deselect` takes it out",
		STR_ARG(a->text));
	return true;
}

static bool add_selected(struct emerge *m, struct err *e)
{
	struct world w = WORLD_INIT;
	bool ok = world_read(&w, m->root, e);
	for (size_t i = 0; ok && i < w.atoms.n; i++) {
		const struct atom *a = atom_of(m, w.atoms.v[i], e);
		ok = a != NULL && push_world(m, a);
	}
	for (size_t i = 0; ok && i < w.sets.n; i++)
		ok = emerge_set(m, w.sets.v[i] + 1, e);
	world_fini(&w);
	return ok;
}

/* The sets that every prefix has; the others are the user's and may be in the world. */
static bool is_own_set(const char *name)
{
	static const char *const names[] = { "world", "selected", "system", "profile" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

static bool add_listed(struct emerge *m, const char *name, struct err *e)
{
	struct set_list list = { 0 };
	if (strcmp(name, "world") == 0)
		return emerge_set(m, "system", e) && emerge_set(m, "selected", e);
	if (strcmp(name, "selected") == 0)
		return add_selected(m, e);
	if (strcmp(name, "system") == 0)
		config_system(m->engine.config, &list);
	else if (strcmp(name, "profile") == 0)
		config_profile_set(m->engine.config, &list);
	else if (!config_set(m->engine.config, name, &list, e))
		return false;
	return add_entries(m, &list, e);
}

bool emerge_set(struct emerge *m, const char *name, struct err *e)
{
	/* A set may name one that names it again. */
	if (strv_has(&m->open_sets, name))
		return true;
	strv_push(&m->open_sets, name);
	bool ok = add_listed(m, name, e);
	free(m->open_sets.v[--m->open_sets.n]);
	return ok;
}

/* Is the name a typing error, as far as one can tell? */
static bool is_misspelt(struct emerge *m, const struct atom *a, struct err *e)
{
	if (repo_package(m->engine.repos, a->cp) != NULL || config_provided(m->engine.config, a))
		return false;
	for (size_t i = 0; i < m->installed.n; i++) {
		if (str_eq(a->cp, m->installed.v[i].cp))
			return false;
	}
	no_such(m, a->cp, e);
	return true;
}

bool emerge_request(struct emerge *m, const char *operand, struct err *e)
{
	if (operand[0] == '@') {
		if (!is_own_set(operand + 1) && !strv_has(&m->sets, operand))
			strv_push(&m->sets, operand);
		return emerge_set(m, operand + 1, e);
	}
	const struct atom *a = atom_of(m, operand, e);
	if (a == NULL) {
		/* The world file may hold what is no atom, too; here it is the command's. */
		if (strchr(operand, '/') != NULL)
			e->code = ERR_USAGE;
		return false;
	}
	if (is_misspelt(m, a, e))
		return false;
	vec_push(&m->favorites, a);
	return push(m, a);
}

/* Append lines to etc/portage/NAME, or to a file of ours in it when that is a directory. */
static bool append(const struct emerge *m, const char *name, const struct strv *list, struct err *e)
{
	struct buf text = BUF_INIT;
	char *path = xasprintf("etc/portage/%s", name);
	if (list->n == 0) {
		free(path);
		return true;
	}
	if (fs_is_dir(m->root, path)) {
		free(path);
		path = xasprintf("etc/portage/%s/zz-autounmask", name);
	}
	bool ok = !fs_exists(m->root, path) || fs_read(m->root, path, &text, e);
	if (text.n > 0 && text.p[text.n - 1] != '\n')
		buf_addc(&text, '\n');
	for (size_t i = 0; i < list->n; i++)
		buf_printf(&text, "%s\n", list->v[i]);
	ok = ok && fs_write(m->root, path, text.p, text.n, 0644, e);
	if (ok)
		fprintf(stderr, "wrote %s/%s\n", m->engine.eprefix, path);
	buf_fini(&text);
	free(path);
	return ok;
}

bool emerge_write_lines(const struct emerge *m, struct err *e)
{
	return append(m, "package.accept_keywords", &m->result.keywords, e) &&
	       append(m, "package.use", &m->result.uses, e) &&
	       append(m, "package.unmask", &m->result.unmasks, e) &&
	       append(m, "package.license", &m->result.licenses, e);
}
