#include "repo_int.h"

#include "fs.h"
#include "linefile.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void repo_set_free(struct repo_set *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->list.n; i++) {
		struct repo *r = s->list.v[i];
		if (r->fd >= 0)
			close(r->fd);
		if (r->cache_fd >= 0)
			close(r->cache_fd);
		for (size_t j = 0; j < r->categories.cap; j++) {
			struct category *c = r->categories.slots[j].value;
			if (c != NULL)
				strv_fini(&c->cached);
		}
		map_fini(&r->categories);
	}
	vec_fini(&s->list);
	map_fini(&s->packages);
	for (size_t i = 0; i < sizeof s->atoms / sizeof *s->atoms; i++)
		map_fini(&s->atoms[i]);
	strv_fini(&s->warnings);
	arena_fini(&s->arena);
	free(s);
}

static bool names_alias(struct str aliases, struct str name)
{
	struct str word;
	while (str_word(&aliases, &word)) {
		if (str_eq(word, name))
			return true;
	}
	return false;
}

const struct repo *repo_find(const struct repo_set *s, struct str name)
{
	for (size_t i = 0; i < s->list.n; i++) {
		if (str_is(name, s->list.v[i]->name))
			return s->list.v[i];
	}
	for (size_t i = 0; i < s->list.n; i++) {
		if (names_alias(s->list.v[i]->aliases, name))
			return s->list.v[i];
	}
	return NULL;
}

/* "FILE:LINE: [section]" or the path where it is not from repos.conf; the arena's. */
static const char *place(struct repo_set *s, const struct repo_spec *spec)
{
	if (spec->section.n == 0)
		return spec->file;
	return arena_printf(
		&s->arena, "%s:%u: [%.*s]", spec->file, spec->line, STR_ARG(spec->section));
}

/* profiles/repo_name, the arena's. */
static bool read_name(
	struct repo_set *s, struct repo *r, const struct repo_spec *spec, struct err *e)
{
	struct str text = { NULL, 0 }, word = { NULL, 0 };
	char *path = path_join(r->path, "profiles/repo_name");
	bool ok = file_text(&s->arena, path, &text, e);
	bool absent = !ok && e->sys == ENOENT;
	if (absent)
		*e = ERR_INIT;
	if (absent || (ok && !str_word(&text, &word)))
		ok = err_set(e, ERR_USAGE, "repo.name",
			"%s: %s is missing or empty; it must hold the repository's name",
			place(s, spec), path);
	else if (ok && !name_repo(word))
		ok = err_set(e, ERR_USAGE, "repo.name", "%s: '%.*s' in %s is no repository name",
			place(s, spec), STR_ARG(word), path);
	free(path);
	if (ok)
		r->name = arena_strndup(&s->arena, word.p, word.n);
	return ok;
}

struct layout {
	struct str masters, aliases, formats;
	bool has_masters;
};

static void read_layout(struct repo_set *s, const struct repo *r, struct layout *l)
{
	struct err ignored = ERR_INIT;
	struct str text, line;
	char *path = path_join(r->path, "metadata/layout.conf");
	bool ok = file_text(&s->arena, path, &text, &ignored);
	free(path);
	while (ok && str_split(&text, '\n', &line)) {
		struct str value = line, key;
		if (line.n == 0 || line.p[0] == '#' || !str_split(&value, '=', &key))
			continue;
		key = str_trim(key);
		value = value.p != NULL ? str_trim(value) : STR("");
		l->has_masters |= str_is(key, "masters");
		if (str_is(key, "masters"))
			l->masters = value;
		else if (str_is(key, "aliases"))
			l->aliases = value;
		else if (str_is(key, "profile-formats"))
			l->formats = value;
	}
}

/* Names of masters stay in r->masters as text until all repositories are known. */
static void keep_masters(struct repo_set *s, struct repo *r, struct str names)
{
	struct str rest = names, word;
	size_t n = 0;
	while (str_word(&rest, &word))
		n++;
	r->master_names = arena_alloc(&s->arena, (n + 1) * sizeof *r->master_names);
	while (str_word(&names, &word))
		r->master_names[r->n_masters++] = word;
}

bool repo_open(struct repo_set *s, const char *path, const struct repo_spec *spec, struct err *e)
{
	struct repo *r = arena_calloc(&s->arena, 1, sizeof *r);
	struct layout layout = { 0 };
	r->fd = r->cache_fd = -1;
	r->set = s;
	r->path = arena_strdup(&s->arena, path);
	r->priority = spec->priority;
	if (!fs_is_dir(AT_FDCWD, path))
		return err_set(e, ERR_USAGE, "repo.location",
			"%s: its location %s is not there; create it, or run `eprefix overlay "
			"sync`",
			place(s, spec), path);
	if (!read_name(s, r, spec, e) || !fs_open_dir(AT_FDCWD, path, &r->fd, e))
		return false;
	const struct repo *twin = repo_find(s, str_of(r->name));
	r->index = s->list.n;
	vec_push(&s->list, r);
	if (twin != NULL)
		return err_set(e, ERR_USAGE, "repo.twice",
			"%s: two repositories are called %s (profiles/repo_name): %s and %s",
			place(s, spec), r->name, twin->path, r->path);
	if (spec->section.n > 0 && !str_is(spec->section, r->name))
		strv_own(&s->warnings, xasprintf("%s is called %s by its profiles/repo_name",
					       place(s, spec), r->name));
	struct err ignored = ERR_INIT;
	fs_open_dir(r->fd, "metadata/md5-cache", &r->cache_fd, &ignored);
	read_layout(s, r, &layout);
	r->aliases = spec->aliases.n > 0 ? spec->aliases : layout.aliases;
	r->profile_formats = layout.formats;
	r->implicit_master = !spec->has_masters && !layout.has_masters;
	keep_masters(s, r, spec->has_masters ? spec->masters : layout.masters);
	return true;
}

void repo_link_masters(struct repo_set *s, struct repo *r)
{
	size_t named = r->n_master_names = r->n_masters;
	r->masters = arena_alloc(&s->arena, (named + 1) * sizeof(struct repo *));
	r->n_masters = 0;
	for (size_t i = 0; i < named; i++) {
		const struct repo *m = repo_find(s, r->master_names[i]);
		if (m != NULL && m != r)
			r->masters[r->n_masters++] = m;
		else
			strv_own(&s->warnings,
				xasprintf("%s/metadata/layout.conf: there is no repository '%.*s', "
					  "which masters names",
					r->path, STR_ARG(r->master_names[i])));
	}
	if (r->implicit_master && s->main != NULL && s->main != r)
		r->masters[r->n_masters++] = s->main;
}

static void add_categories(struct repo_set *s, struct repo *r, const char *dir, const char *name)
{
	struct line_list lines = { 0 };
	struct err ignored = ERR_INIT;
	char *path = path_join(dir, name);
	lines_read(&s->arena, path, &lines, &ignored);
	for (size_t i = 0; i < lines.list.n; i++)
		if (map_get(&r->categories, lines.list.v[i].words[0]) == NULL)
			map_set(&r->categories, lines.list.v[i].words[0],
				arena_calloc(&s->arena, 1, sizeof(struct category)));
	free(path);
	vec_fini(&lines.list);
}

void repo_read_categories(struct repo_set *s, struct repo *r, const char *config_root)
{
	add_categories(s, r, r->path, "profiles/categories");
	add_categories(s, r, config_root, "etc/portage/categories");
	for (size_t i = 0; i < r->n_masters; i++)
		add_categories(s, r, r->masters[i]->path, "profiles/categories");
}
