#include "fetch_select.h"

#include "atom.h"
#include "fs.h"
#include "mem.h"
#include "world.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const struct fetch_file *files_of(struct selection *s, const struct source *source)
{
	size_t n = source->alternatives.n;
	struct fetch_file *files = arena_calloc(&s->arena, n + 1, sizeof *files);
	for (size_t i = 0; i < n; i++) {
		const struct source_file *f = &source->alternatives.v[i];
		files[i] = (struct fetch_file){ .name = f->name,
			.size = f->size,
			.blake2b = f->blake2b,
			.sha512 = f->sha512,
			.uris = (const char *const *)f->uris.v,
			.n_uris = f->uris.n };
	}
	return files;
}

bool selection_package(struct selection *s, const struct pkg *p, struct err *e)
{
	struct source_list list;
	char *id = xasprintf(
		"%.*s/%.*s::%.*s", STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(p->repo_name));
	bool seen = strv_has(&s->seen, id);
	strv_own(&s->seen, id);
	if (seen)
		return true;
	if (p->kind != PKG_RECIPE)
		return err_set(e, ERR_USAGE, "fetch.ebuild",
			"%.*s/%.*s is an ebuild; its sources are Portage's to fetch (emerge -f)",
			STR_ARG(p->cat), STR_ARG(p->pf));
	if (!engine_sources(s->engine, p, &list, e))
		return false;
	vec_push(&s->sources, list);
	for (size_t i = 0; i < list.v.n; i++)
		vec_push(&s->jobs, (struct fetch_job){ .owner = arena_printf(&s->arena, "%.*s/%.*s",
							       STR_ARG(p->cat), STR_ARG(p->pf)),
					   .alternatives = files_of(s, &list.v.v[i]),
					   .n_alternatives = list.v.v[i].alternatives.n,
					   .chosen = FETCH_NONE });
	return true;
}

/* The best visible version that the atom matches; *why says why there is none. */
static bool best(struct selection *s, const struct atom *a, struct pkg **out, const char **why,
	struct err *e)
{
	const struct package *all = repo_package(s->engine->repos, a->cp);
	bool masked = false;
	*out = NULL;
	*why = "there is no such package";
	for (size_t i = 0; all != NULL && *out == NULL && i < all->n; i++) {
		struct pkg *p = all->v[i];
		struct mask m = { 0 };
		if (!pkg_load(s->engine->repos, p, e))
			return false;
		if (!atom_match_but_use(a, p))
			continue;
		if (config_visible(s->engine->config, p, &m))
			*out = p;
		else if (!masked)
			*why = p->broken ? p->problem : m.text;
		masked = true;
	}
	return true;
}

static bool take_atom(struct selection *s, const struct atom *a, struct err *e)
{
	struct pkg *p = NULL;
	const char *why = NULL;
	if (!best(s, a, &p, &why, e))
		return false;
	if (p == NULL)
		return err_set(e, ERR_CONFLICT, "fetch.find", "nothing to fetch for %.*s: %s",
			STR_ARG(a->text), why);
	config_use(s->engine->config, p);
	return selection_package(s, p, e);
}

/* "make" → "dev-build/make", when just one category has it. */
static const char *full_name(struct selection *s, const char *text, struct err *e)
{
	struct strv names = STRV_INIT;
	const char *found = text;
	if (strchr(text, '/') != NULL)
		return text;
	if (!repo_short_name(s->engine->repos, str_of(text), &names, e)) {
		found = NULL;
	} else if (names.n == 1) {
		found = arena_strdup(&s->arena, names.v[0]);
	} else if (names.n == 0) {
		err_set(e, ERR_CONFLICT, "fetch.name", "no repository has a package named %s",
			text);
		found = NULL;
	} else {
		err_set(e, ERR_USAGE, "fetch.name", "%s is ambiguous: %s, %s%s", text, names.v[0],
			names.v[1], names.n > 2 ? ", …" : "");
		found = NULL;
	}
	strv_fini(&names);
	return found;
}

static bool take_text(struct selection *s, const char *text, struct err *e)
{
	const char *name = full_name(s, text, e);
	if (name == NULL)
		return false;
	const struct atom *a =
		atom_parse(&s->arena, str_of(arena_strdup(&s->arena, name)), STR(""), ATOM_REPO, e);
	return a != NULL && take_atom(s, a, e);
}

static bool take_set(struct selection *s, const char *name, struct err *e);

static bool take_list(struct selection *s, struct set_list *list, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < list->list.n; i++) {
		const struct set_entry *entry = &list->list.v[i];
		ok = entry->atom != NULL ? take_atom(s, entry->atom, e)
					 : take_set(s, entry->set, e);
	}
	vec_fini(&list->list);
	return ok;
}

/* @selected: what the user asked for, and the sets named there. */
static bool take_selected(struct selection *s, struct err *e)
{
	struct world w = WORLD_INIT;
	int root = -1;
	bool ok = fs_open_dir(AT_FDCWD, s->engine->eprefix, &root, e) && world_read(&w, root, e);
	for (size_t i = 0; ok && i < w.atoms.n; i++)
		ok = take_text(s, w.atoms.v[i], e);
	for (size_t i = 0; ok && i < w.sets.n; i++)
		ok = take_set(s, w.sets.v[i] + 1, e);
	world_fini(&w);
	if (root >= 0)
		close(root);
	return ok;
}

static bool take_set(struct selection *s, const char *name, struct err *e)
{
	struct set_list list = { 0 };
	char *id = xasprintf("@%s", name);
	bool seen = strv_has(&s->seen, id);
	strv_own(&s->seen, id);
	if (seen)
		return true;
	if (strcmp(name, "world") == 0)
		return take_set(s, "system", e) && take_set(s, "selected", e);
	if (strcmp(name, "selected") == 0)
		return take_selected(s, e);
	if (strcmp(name, "system") == 0)
		config_system(s->engine->config, &list);
	else if (strcmp(name, "profile") == 0)
		config_profile_set(s->engine->config, &list);
	else if (!config_set(s->engine->config, name, &list, e))
		return false;
	return take_list(s, &list, e);
}

bool selection_add(struct selection *s, const char *operand, struct err *e)
{
	return operand[0] == '@' ? take_set(s, operand + 1, e) : take_text(s, operand, e);
}

void selection_fini(struct selection *s)
{
	for (size_t i = 0; i < s->sources.n; i++)
		source_list_fini(&s->sources.v[i]);
	vec_fini(&s->sources);
	vec_fini(&s->jobs);
	strv_fini(&s->seen);
	arena_fini(&s->arena);
}
