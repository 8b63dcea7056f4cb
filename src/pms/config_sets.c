#include "config_int.h"

#include "fs.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* Take the entries away that are written like text; "*" takes all. */
static void take_away(struct line_list *l, struct str text)
{
	size_t kept = 0;
	for (size_t i = 0; i < l->list.n; i++) {
		if (!str_is(text, "*") && !str_eq(l->list.v[i].words[0], text))
			l->list.v[kept++] = l->list.v[i];
	}
	l->list.n = kept;
}

/* The lines of `packages` or `package.provided` of all profiles, "-x" applied. */
static void stack(const struct config *c, size_t member, struct line_list *out)
{
	for (size_t i = 0; i < c->profiles.list.n; i++) {
		const char *base = (const char *)c->profiles.list.v[i];
		const struct line_list *lines = (const struct line_list *)(base + member);
		for (size_t j = 0; j < lines->list.n; j++) {
			struct str word = lines->list.v[j].words[0];
			if (word.p[0] == '-')
				take_away(out, (struct str){ word.p + 1, word.n - 1 });
			else
				vec_push(&out->list, lines->list.v[j]);
		}
	}
}

/* The profiles' packages: those with "*" in front, or those without. */
static void profile_packages(const struct config *c, bool system, struct set_list *out)
{
	struct line_list lines = { 0 };
	stack(c, offsetof(struct policy, packages), &lines);
	for (size_t i = 0; i < lines.list.n; i++) {
		struct str word = lines.list.v[i].words[0];
		struct err e = ERR_INIT;
		if ((word.p[0] == '*') != system)
			continue;
		struct str text = { word.p + system, word.n - system };
		const struct atom *a = atom_parse(c->texts, text, STR(""), ATOM_USER, &e);
		if (a != NULL)
			vec_push(&out->list, (struct set_entry){ .atom = a });
	}
	vec_fini(&lines.list);
}

void config_system(const struct config *c, struct set_list *out)
{
	profile_packages(c, true, out);
}

void config_profile_set(const struct config *c, struct set_list *out)
{
	profile_packages(c, false, out);
}

static bool read_set(const struct config *c, const char *path, struct set_list *out, struct err *e)
{
	struct line_list lines = { 0 };
	bool ok = lines_read(c->texts, path, &lines, e);
	for (size_t i = 0; ok && i < lines.list.n; i++) {
		struct line *l = &lines.list.v[i];
		struct set_entry entry = { NULL, NULL };
		if (str_starts(l->words[0], "@"))
			entry.set = arena_strndup(c->texts, l->words[0].p + 1, l->words[0].n - 1);
		else
			entry.atom = atom_parse(c->texts, l->words[0], STR(""), ATOM_USER, e);
		ok = entry.set != NULL || entry.atom != NULL;
		if (ok)
			vec_push(&out->list, entry);
		else
			err_in(e, "%s:%u", l->file, l->number);
	}
	vec_fini(&lines.list);
	if (!ok)
		vec_fini(&out->list);
	return ok;
}

/* The directories that hold sets: the user's first. NULL at the end; the caller's. */
static char *set_dir(const struct config *c, size_t i)
{
	if (i == 0)
		return path_join(c->user_dir, "sets");
	return i <= c->repos->list.n ? path_join(c->repos->list.v[i - 1]->path, "sets") : NULL;
}

bool config_set(const struct config *c, const char *name, struct set_list *out, struct err *e)
{
	char *dir;
	bool plain = *name != '\0' && *name != '.' && strchr(name, '/') == NULL;
	for (size_t i = 0; plain && (dir = set_dir(c, i)) != NULL; i++) {
		char *path = path_join(dir, name);
		bool there = fs_exists(AT_FDCWD, path);
		bool ok = there && read_set(c, path, out, e);
		free(path);
		free(dir);
		if (there)
			return ok;
	}
	err_set(e, ERR_CONFLICT, "config.set", "there is no set @%s: %s/sets/%s is not there", name,
		c->user_dir, name);
	e->sys = ENOENT;
	return false;
}

bool config_sets(const struct config *c, struct strv *names, struct err *e)
{
	char *dir;
	bool ok = true;
	for (size_t i = 0; ok && (dir = set_dir(c, i)) != NULL; i++) {
		struct strv files = STRV_INIT;
		ok = files_of(dir, &files, e);
		for (size_t j = 0; j < files.n; j++) {
			const char *name = path_base(files.v[j]);
			if (!strv_has(names, name))
				strv_push(names, name);
		}
		strv_fini(&files);
		free(dir);
	}
	strv_sort(names);
	return ok;
}

bool config_provided(const struct config *c, const struct atom *a)
{
	struct line_list lines = { 0 };
	bool found = false;
	stack(c, offsetof(struct policy, package_provided), &lines);
	for (size_t i = 0; i < lines.list.n && !found; i++) {
		struct cpv cpv;
		struct str text = lines.list.v[i].words[0];
		if (!cpv_split(text, &cpv) || cpv.cat.n == 0)
			continue;
		/* Neither slot nor flags are known of it: any will do (Portage's reading). */
		struct pkg p = { .cp = cpv.cp, .cat = cpv.cat, .pn = cpv.pn };
		p.version = cpv.version;
		found = atom_match_but_use(a, &p);
	}
	vec_fini(&lines.list);
	return found;
}

/* Could the line's atom match a package of some repository? By name and version only. */
static bool matches_some(const struct config *c, const struct atom *a)
{
	if (a->wildcard)
		return true;
	const struct package *p = repo_package(c->repos, a->cp);
	for (size_t i = 0; p != NULL && i < p->n; i++) {
		if (atom_match_version(a, p->v[i]->version))
			return true;
	}
	return false;
}

static bool report(
	const struct config *c, const struct atom_line *l, struct strv *out, struct err *e)
{
	struct strv meant = STRV_INIT;
	bool exists = repo_package(c->repos, l->atom->cp) != NULL;
	bool ok = exists || repo_short_name(c->repos, l->atom->pn, &meant, e);
	struct buf text = BUF_INIT;
	buf_printf(&text, "%s:%u: %.*s matches %s", l->file, l->number, STR_ARG(l->atom->text),
		exists ? "no version of that package" : "no package");
	for (size_t i = 0; i < meant.n; i++)
		buf_printf(&text, "%s%s%s", i == 0 ? "; did you mean " : " or ", meant.v[i],
			i + 1 == meant.n ? "?" : "");
	strv_own(out, buf_take(&text));
	strv_fini(&meant);
	return ok;
}

bool config_unmatched(const struct config *c, struct strv *out, struct err *e)
{
	const struct atom_table *tables[] = { &c->use.table, &c->keywords.table, &c->license.table,
		&c->properties.table, &c->restrict_.table, &c->env.table, &c->mask, &c->unmask };
	bool ok = true;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		for (size_t j = 0; ok && j < tables[i]->all.list.n; j++) {
			const struct atom_line *l = tables[i]->all.list.v[j];
			bool user = str_starts(str_of(l->file), c->user_dir);
			if (user && !matches_some(c, l->atom))
				ok = report(c, l, out, e);
		}
	}
	return ok;
}
