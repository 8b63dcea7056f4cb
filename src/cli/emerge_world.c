/* What the user asked for goes into the world file, and out of it again. */
#include "emerge.h"

#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_slot(struct strv *slots, struct str slot)
{
	char *copy = xstrndup(slot.p, slot.n);
	if (strv_has(slots, copy))
		free(copy);
	else
		strv_own(slots, copy);
}

/* Slots of the versions in the repositories and of those installed; atom: of those it matches. */
static void find_slots(struct emerge *m, struct str cp, const struct atom *atom, struct strv *slots)
{
	const struct package *all = repo_package(m->engine.repos, cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct err ignored = ERR_INIT;
		struct pkg *p = all->v[i];
		if (pkg_load(m->engine.repos, p, &ignored) && !p->broken &&
			(atom == NULL || atom_match_but_use(atom, p)))
			add_slot(slots, p->slot);
	}
	for (size_t i = 0; i < m->installed.n; i++) {
		const struct pkg *p = &m->installed.v[i];
		if (str_eq(p->cp, cp) && (atom == NULL || atom_match_but_use(atom, p)))
			add_slot(slots, p->slot);
	}
}

static bool is_of_system(struct emerge *m, const struct pkg *p)
{
	struct err ignored = ERR_INIT;
	size_t from = m->requests.n;
	bool found = false;
	if (emerge_set(m, "system", &ignored)) {
		for (size_t i = from; i < m->requests.n; i++)
			found = found || atom_match_but_use(m->requests.v[i], p);
	}
	m->requests.n = from;
	return found;
}

/*
 * The line for a package, the caller's own; NULL when it needs none. As Portage's
 * create_world_atom: the name; its slot where the atom given means one of several; nothing for
 * what @system has, for that is the world's anyway.
 */
static char *line_for(struct emerge *m, const struct atom *atom, const struct pkg *p)
{
	struct strv slots = STRV_INIT, meant = STRV_INIT;
	find_slots(m, p->cp, NULL, &slots);
	bool slotted = slots.n > 1 || (slots.n == 1 && strcmp(slots.v[0], "0") != 0);
	bool special = atom->op != ATOM_ANY || atom->slot.n > 0;
	struct buf line = BUF_INIT;
	buf_add_str(&line, p->cp);
	if (slotted && special) {
		find_slots(m, p->cp, atom, &meant);
		if (meant.n == 1)
			buf_printf(&line, ":%s", meant.v[0]);
	}
	if (atom->repo.n > 0)
		buf_printf(&line, "::%.*s", STR_ARG(atom->repo));
	bool known = !slotted && !str_is(p->cat, "virtual") && is_of_system(m, p);
	strv_fini(&slots);
	strv_fini(&meant);
	char *text = buf_take(&line);
	if (known) {
		free(text);
		text = NULL;
	}
	return text;
}

static bool wanted(const struct emerge *m)
{
	return !m->oneshot && !cli_has(m->cli, "onlydeps") && !cli_has(m->cli, "fetchonly") &&
	       !cli_has(m->cli, "pretend");
}

static bool add_line(struct emerge *m, const char *line, struct err *e)
{
	struct world w = WORLD_INIT;
	bool ok = world_read(&w, m->root, e);
	if (ok && world_add(&w, line)) {
		ok = world_write(&w, m->root, e);
		if (ok && !m->cli->quiet)
			fprintf(stderr, ">>> Recording %s in \"world\" favorites file...\n", line);
	}
	world_fini(&w);
	return ok;
}

bool emerge_remember(struct emerge *m, const struct pkg *p, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && wanted(m) && i < m->favorites.n; i++) {
		if (!atom_match_but_use(m->favorites.v[i], p))
			continue;
		char *line = line_for(m, m->favorites.v[i], p);
		ok = line == NULL || add_line(m, line, e);
		free(line);
	}
	return ok;
}

static bool is_listed(const struct emerge *m, const struct atom *atom)
{
	for (size_t i = 0; i < m->result.list.n; i++) {
		if (atom_match_but_use(atom, m->result.list.v[i].pkg))
			return true;
	}
	return false;
}

bool emerge_remember_rest(struct emerge *m, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && wanted(m) && i < m->sets.n; i++)
		ok = add_line(m, m->sets.v[i], e);
	for (size_t i = 0; ok && i < m->favorites.n; i++) {
		for (size_t k = 0; ok && k < m->installed.n; k++) {
			const struct pkg *p = &m->installed.v[k];
			if (atom_match_but_use(m->favorites.v[i], p) &&
				!is_listed(m, m->favorites.v[i]))
				ok = emerge_remember(m, p, e);
		}
	}
	return ok;
}

/* Does what was typed mean the line of the world file? */
static bool means(const struct atom *typed, const char *line)
{
	struct arena a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct atom *atom =
		atom_parse(&a, str_of(line), STR(""), ATOM_WILDCARDS | ATOM_REPO, &ignored);
	bool yes = atom != NULL && atom_intersects(typed, atom) &&
		   !(typed->slot.n > 0 && atom->slot.n == 0) &&
		   !(typed->repo.n > 0 && atom->repo.n == 0);
	arena_fini(&a);
	return yes;
}

/* "make" typed for "dev-build/make": a short name fits any category. */
static const struct atom *typed_atom(struct emerge *m, const char *text, struct err *e)
{
	size_t op = strspn(text, "<>=~!");
	const char *full = strchr(text, '/') != NULL
				   ? arena_strdup(&m->arena, text)
				   : arena_printf(&m->arena, "%.*s*/%s", (int)op, text, text + op);
	const struct atom *a = atom_parse(&m->arena, str_of(full), STR(""), ATOM_USER, e);
	if (a == NULL)
		e->code = ERR_USAGE;
	return a;
}

static bool find_lines(
	struct emerge *m, char **argv, const struct world *w, struct strv *found, struct err *e)
{
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (argv[i][0] == '@') {
			if (strv_has(&w->sets, argv[i]))
				strv_push(found, argv[i]);
			continue;
		}
		const struct atom *typed = typed_atom(m, argv[i], e);
		if (typed == NULL)
			return false;
		for (size_t k = 0; k < w->atoms.n; k++) {
			if (means(typed, w->atoms.v[k]) && !strv_has(found, w->atoms.v[k]))
				strv_push(found, w->atoms.v[k]);
		}
	}
	return true;
}

bool emerge_deselect(struct emerge *m, char **argv, struct err *e)
{
	struct world w = WORLD_INIT;
	struct strv found = STRV_INIT;
	bool pretend = cli_has(m->cli, "pretend");
	bool ok = world_read(&w, m->root, e) && find_lines(m, argv, &w, &found, e);
	if (ok && found.n == 0)
		printf(">>> No matching atoms found in \"world\" favorites file...\n");
	for (size_t i = 0; ok && i < found.n; i++) {
		world_remove(&w, found.v[i]);
		printf(">>> %s %s from \"world\" favorites file...\n",
			pretend ? "Would remove" : "Removing", found.v[i]);
	}
	if (ok && found.n > 0 && !pretend && cli_has(m->cli, "ask") &&
		!emerge_ask("Would you like to remove these packages from your world favorites?"))
		ok = err_set(
			e, ERR_INTERRUPTED, "emerge.ask", "nothing was removed, as you wished");
	ok = ok && (pretend || found.n == 0 || world_write(&w, m->root, e));
	strv_fini(&found);
	world_fini(&w);
	return ok;
}
