#include "repo_int.h"

#include "fs.h"
#include "ini.h"
#include "linefile.h"
#include "version.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAIN_PRIORITY (-1000)

struct reader {
	struct repo_set *set;
	const struct repos_options *o;
	struct ini ini;
	struct str main; /* main-repo */
	struct err *e;
};

static bool read_text(struct reader *r, struct str text, const char *file)
{
	return ini_parse(&r->set->arena, text, file, &r->ini, r->e);
}

static bool read_files(struct reader *r, const char *path)
{
	struct strv files = STRV_INIT;
	bool ok = files_of(path, &files, r->e);
	for (size_t i = 0; ok && i < files.n; i++) {
		struct str text;
		ok = file_text(&r->set->arena, files.v[i], &text, r->e) &&
		     read_text(r, text, arena_strdup(&r->set->arena, files.v[i]));
	}
	strv_fini(&files);
	return ok;
}

/* The prefix's own defaults, then the user's (portage-formats §6, repos.conf). */
static bool read_all(struct reader *r)
{
	static const char *const places[] = { "usr/share/portage/config/repos.conf",
		"etc/portage/repos.conf" };
	if (r->o->text != NULL)
		return read_text(r, str_of(r->o->text), "PORTAGE_REPOSITORIES");
	bool ok = true;
	for (size_t i = 0; ok && i < 2; i++) {
		char *path = path_join(i == 0 ? r->o->eprefix : r->o->config_root, places[i]);
		ok = read_files(r, path);
		free(path);
	}
	return ok;
}

/* ${EPREFIX}, $EPREFIX and ConfigParser's %(EPREFIX)s. */
static char *expand(struct reader *r, struct str value)
{
	static const char *const names[] = { "${EPREFIX}", "%(EPREFIX)s", "$EPREFIX" };
	struct buf out = BUF_INIT;
	while (value.n > 0) {
		size_t skip = 0;
		for (size_t i = 0; skip == 0 && i < 3; i++)
			skip = str_starts(value, names[i]) ? strlen(names[i]) : 0;
		if (skip > 0)
			buf_adds(&out, r->o->eprefix);
		else
			buf_addc(&out, value.p[0]);
		skip += skip == 0;
		value = (struct str){ value.p + skip, value.n - skip };
	}
	char *kept = path_clean(buf_str(&out));
	buf_fini(&out);
	return kept;
}

static struct str value_of(struct reader *r, struct str section, const char *key)
{
	struct str value = { NULL, 0 };
	for (size_t i = 0; i < r->ini.list.n; i++) {
		const struct ini_entry *x = &r->ini.list.v[i];
		if (str_eq(x->section, section) && str_is(x->key, key))
			value = x->value;
	}
	return value;
}

/* One section becomes a repository. */
static bool add_section(struct reader *r, const struct ini_entry *start)
{
	struct str location = value_of(r, start->section, "location");
	struct str priority = value_of(r, start->section, "priority");
	if (location.n == 0)
		return err_set(r->e, ERR_USAGE, "repo.location",
			"%s:%u: [%.*s] has no location; add: location = "
			"${EPREFIX}/var/db/repos/%.*s",
			start->file, start->line, STR_ARG(start->section), STR_ARG(start->section));
	struct repo_spec spec = { .section = start->section, .file = start->file };
	spec.line = start->line;
	spec.priority = str_eq(start->section, r->main) ? MAIN_PRIORITY : 0;
	if (priority.n > 0)
		spec.priority = (int)strtol(priority.p, NULL, 10);
	spec.has_masters = value_of(r, start->section, "masters").p != NULL;
	spec.masters = value_of(r, start->section, "masters");
	spec.aliases = value_of(r, start->section, "aliases");
	char *path = expand(r, location);
	bool ok = path[0] == '/' ? repo_open(r->set, path, &spec, r->e)
				 : err_set(r->e, ERR_USAGE, "repo.location",
					   "%s:%u: the location of [%.*s] is no absolute path: %s",
					   start->file, start->line, STR_ARG(start->section), path);
	free(path);
	return ok;
}

static bool seen_before(struct reader *r, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		const struct ini_entry *x = &r->ini.list.v[i];
		if (x->key.n == 0 && str_eq(x->section, r->ini.list.v[at].section))
			return true;
	}
	return false;
}

static bool add_sections(struct reader *r)
{
	r->main = value_of(r, STR("DEFAULT"), "main-repo");
	for (size_t i = 0; i < r->ini.list.n; i++) {
		const struct ini_entry *x = &r->ini.list.v[i];
		if (x->key.n > 0 || str_is(x->section, "DEFAULT") || seen_before(r, i))
			continue;
		if (!add_section(r, x))
			return false;
	}
	for (const char *const *x = r->o->extra; x != NULL && *x != NULL; x++) {
		struct repo_spec spec = { .file = *x };
		if (!repo_open(r->set, *x, &spec, r->e))
			return false;
	}
	return true;
}

static int by_priority(const void *a, const void *b)
{
	const struct repo *x = *(struct repo *const *)a, *y = *(struct repo *const *)b;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Order the repositories and connect them, now that all are known. */
static void arrange(struct reader *r)
{
	struct repo_set *s = r->set;
	if (s->list.n > 1)
		qsort(s->list.v, s->list.n, sizeof(struct repo *), by_priority);
	for (size_t i = 0; i < s->list.n; i++) {
		s->list.v[i]->index = i;
		if (str_is(r->main, s->list.v[i]->name))
			s->main = s->list.v[i];
	}
	for (size_t i = 0; i < s->list.n; i++)
		repo_link_masters(s, s->list.v[i]);
	for (size_t i = 0; i < s->list.n; i++)
		repo_read_categories(s, s->list.v[i], r->o->config_root);
}

bool repo_set_open(struct repo_set **out, const struct repos_options *o, struct err *e)
{
	struct repo_set *s = xcalloc(1, sizeof *s);
	struct reader r = { .set = s, .o = o, .e = e };
	s->eprefix = arena_strdup(&s->arena, o->eprefix);
	bool ok = read_all(&r) && add_sections(&r);
	if (ok)
		arrange(&r);
	vec_fini(&r.ini.list);
	if (!ok)
		repo_set_free(s);
	*out = ok ? s : NULL;
	return ok;
}
