#include "repo_check_int.h"

#include "fs.h"
#include "version.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *repo_flaw_name(enum repo_flaw_kind kind)
{
	static const char *const names[RFLAW_KINDS] = { "recipe", "category", "flag", "dependency",
		"cycle", "checksum", "source", "unused" };
	return names[kind];
}

void repo_report_fini(struct repo_report *out)
{
	vec_fini(&out->list);
	arena_fini(&out->arena);
}

void check_add(struct checker *c, enum repo_flaw_kind kind, const char *place, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	struct repo_flaw flaw = { kind, arena_strdup(&c->report->arena, place),
		arena_strdup(&c->report->arena, text) };
	vec_push(&c->report->list, flaw);
	free(text);
}

const char *check_cpv(struct checker *c, const struct pkg *p)
{
	return arena_printf(&c->report->arena, "%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
}

struct pkg *check_match(struct checker *c, const struct atom *atom)
{
	const struct package *all = repo_package(c->set, atom->cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct err ignored = ERR_INIT;
		struct pkg *p = all->v[i];
		if (pkg_load(c->set, p, &ignored) && !p->broken && atom_match_but_use(atom, p))
			return p;
	}
	return NULL;
}

/* Does the directory "cat/pn" hold an ebuild or a recipe? */
static bool holds_package(const struct repo *r, const char *dir)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	bool any = false;
	if (fs_is_dir(r->fd, dir) && fs_list(r->fd, dir, &names, &ignored)) {
		for (size_t i = 0; i < names.n; i++)
			any = any || str_ends(str_of(names.v[i]), ".lua") ||
			      str_ends(str_of(names.v[i]), ".ebuild");
	}
	strv_fini(&names);
	return any;
}

static void check_category(struct checker *c, const char *name)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	size_t packages = 0;
	if (fs_list(c->repo->fd, name, &names, &ignored)) {
		for (size_t i = 0; i < names.n; i++) {
			char *dir = path_join(name, names.v[i]);
			packages += holds_package(c->repo, dir);
			free(dir);
		}
	}
	strv_fini(&names);
	if (packages > 0)
		check_add(c, RFLAW_CATEGORY, name,
			"holds packages (%zu) but is no category; add it to profiles/categories",
			packages);
}

/* Directories of the repository that are not for packages (PMS chapter 4). */
static bool is_reserved(const char *name)
{
	static const char *const reserved[] = { "eclass", "lib", "licenses", "metadata", "profiles",
		"scripts" };
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
		if (strcmp(name, reserved[i]) == 0)
			return true;
	}
	return name[0] == '.';
}

static bool check_categories(struct checker *c, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = fs_list(c->repo->fd, ".", &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		if (!is_reserved(names.v[i]) && fs_is_dir(c->repo->fd, names.v[i]) &&
			map_get(&c->repo->categories, str_of(names.v[i])) == NULL)
			check_category(c, names.v[i]);
	}
	strv_fini(&names);
	return ok;
}

/*
 * The bootstrap packs the source of sys-apps/eprefix and writes its DIST line into the prefix's
 * copy; where it has not, the recipe does not load, and nothing is wrong.
 */
static bool is_unpacked_self(const struct pkg *p)
{
	return str_is(p->cp, "sys-apps/eprefix") && strstr(p->problem, "source eprefix-") != NULL;
}

/* Load what the repository itself has of one name; what does not load is a flaw. */
static bool check_name(struct checker *c, const struct package *all, struct err *e)
{
	size_t first = c->pkgs.n, own = 0;
	bool ok = true;
	for (size_t i = 0; ok && i < all->n; i++) {
		struct pkg *p = all->v[i];
		if (p->repo != c->repo)
			continue;
		own++;
		ok = pkg_load(c->set, p, e);
		if (ok && p->broken && is_unpacked_self(p))
			continue;
		if (ok && p->broken)
			check_add(c, RFLAW_RECIPE, check_cpv(c, p), "%s", p->problem);
		else if (ok)
			vec_push(&c->pkgs, p);
	}
	c->report->packages += own;
	for (size_t i = first; ok && i < c->pkgs.n; i++)
		check_metadata(c, c->pkgs.v[i]);
	/* What a recipe that does not load uses is not known. */
	if (ok && own > 0 && c->pkgs.n - first == own)
		ok = check_files(c, c->pkgs.v + first, own, e);
	return ok;
}

bool repo_check(struct repo_set *s, const struct repo *r, struct repo_report *out, struct err *e)
{
	struct checker c = { .set = s, .repo = r, .report = out };
	struct package_list all = { 0 };
	bool ok = check_categories(&c, e) && repo_all(s, &all, e);
	for (size_t i = 0; ok && i < all.list.n; i++)
		ok = check_name(&c, all.list.v[i], e);
	if (ok)
		check_cycles(&c);
	vec_fini(&all.list);
	vec_fini(&c.pkgs);
	return ok;
}
