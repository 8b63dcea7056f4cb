#include "policy.h"

#include "fs.h"
#include "repo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* Parents of parents beyond this are taken for a loop. */
#define MAX_DEPTH 64

/* Where the lines of a profile file go. */
struct target {
	const char *name;
	size_t offset; /* of the member of struct policy */
	enum { FLAGS, TABLE, LINES } kind;
};

#define TARGET(name, member, kind)                                                                 \
	{                                                                                          \
		name, offsetof(struct policy, member), kind                                        \
	}
static const struct target targets[] = {
	TARGET("use.mask", use_mask, FLAGS),
	TARGET("use.force", use_force, FLAGS),
	TARGET("use.stable.mask", use_stable_mask, FLAGS),
	TARGET("use.stable.force", use_stable_force, FLAGS),
	TARGET("package.use", package_use, TABLE),
	TARGET("package.use.mask", package_use_mask, TABLE),
	TARGET("package.use.force", package_use_force, TABLE),
	TARGET("package.use.stable.mask", package_use_stable_mask, TABLE),
	TARGET("package.use.stable.force", package_use_stable_force, TABLE),
	TARGET("package.keywords", package_keywords, TABLE),
	TARGET("package.accept_keywords", package_accept_keywords, TABLE),
	TARGET("package.mask", package_mask, LINES),
	TARGET("package.unmask", package_unmask, LINES),
	TARGET("package.provided", package_provided, LINES),
	TARGET("packages", packages, LINES),
};

static bool read_flags(struct arena *a, const char *path, struct use_map *m, struct err *e)
{
	struct line_list lines = { 0 };
	bool ok = lines_read(a, path, &lines, e);
	for (size_t i = 0; i < lines.list.n; i++)
		use_map_add(m, lines.list.v[i].words[0]);
	vec_fini(&lines.list);
	return ok;
}

static bool read_target(
	const struct policy_how *how, const struct target *t, struct policy *p, struct err *e)
{
	void *member = (char *)p + t->offset;
	char *path = path_join(p->path, t->name);
	struct atom_file file = { how->arena, p->eapi, ATOM_REPO, how->warnings };
	if (p->user)
		file.flags = ATOM_USER;
	bool ok = t->kind == FLAGS   ? read_flags(how->arena, path, member, e)
		  : t->kind == TABLE ? atom_table_read(&file, path, member, e)
				     : lines_read(how->arena, path, member, e);
	free(path);
	return ok;
}

/* The profile's own eapi file; a profile without one has EAPI 0. */
static bool read_eapi(struct arena *a, struct policy *p, struct err *e)
{
	char *path = path_join(p->path, "eapi");
	struct line_list lines = { 0 };
	bool ok = lines_read(a, path, &lines, e);
	p->eapi = lines.list.n > 0 ? lines.list.v[0].words[0] : STR("0");
	vec_fini(&lines.list);
	free(path);
	return ok;
}

static bool read_make_defaults(const struct policy_how *how, struct policy *p, struct err *e)
{
	struct makeconf m = { .arena = how->arena, .expand = how->expand };
	m.out = &p->make_defaults;
	m.warnings = how->warnings;
	char *path = path_join(p->path, "make.defaults");
	bool ok = makeconf_read(&m, path, e);
	free(path);
	return ok;
}

bool policy_read(const struct policy_how *how, const char *path, struct policy *p, struct err *e)
{
	struct strv names = STRV_INIT;
	p->path = arena_strdup(how->arena, path);
	p->eapi = STR("0");
	if (!fs_is_dir(AT_FDCWD, path))
		return true;
	bool ok = fs_list(AT_FDCWD, path, &names, e);
	/* The user's own files are not bound to an EAPI. */
	if (p->user)
		p->eapi = STR("");
	else if (ok && strv_has(&names, "eapi"))
		ok = read_eapi(how->arena, p, e);
	if (ok && strv_has(&names, "make.defaults"))
		ok = read_make_defaults(how, p, e);
	for (size_t i = 0; ok && i < sizeof targets / sizeof *targets; i++) {
		if (strv_has(&names, targets[i].name))
			ok = read_target(how, &targets[i], p, e);
	}
	strv_fini(&names);
	return ok;
}

void policy_fini(struct policy *p)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		void *member = (char *)p + targets[i].offset;
		struct line_list *lines = member;
		if (targets[i].kind == FLAGS)
			use_map_fini(member);
		else if (targets[i].kind == TABLE)
			atom_table_fini(member);
		else
			vec_fini(&lines->list);
	}
	use_map_fini(&p->defaults);
	vars_fini(&p->make_defaults);
}

struct stack {
	const struct policy_how *how;
	const struct repo_set *repos;
	struct profiles *out;
	unsigned depth;
	struct err *e;
};

static bool add_profile(struct stack *s, const char *path, const char *named_by);

/* The directory that a line of `parent` names; NULL with the error filled. The caller's. */
static char *parent_path(struct stack *s, const char *child, const struct line *line)
{
	struct str name = line->words[0], repo;
	struct str rest = name;
	bool of_repo = memchr(name.p, ':', name.n) != NULL && str_split(&rest, ':', &repo);
	if (!of_repo) {
		char *relative = xstrndup(name.p, name.n);
		char *path = path_join(child, relative);
		free(relative);
		return path;
	}
	const struct repo *r = NULL;
	for (size_t i = 0; repo.n == 0 && i < s->repos->list.n; i++) {
		if (str_starts(str_of(child), s->repos->list.v[i]->path))
			r = s->repos->list.v[i];
	}
	if (repo.n > 0)
		r = repo_find(s->repos, repo);
	if (r != NULL)
		return xasprintf(
			"%s/profiles/%.*s", r->path, (int)rest.n, rest.p != NULL ? rest.p : "");
	err_set(s->e, ERR_USAGE, "config.profile", "%s:%u: there is no repository '%.*s'",
		line->file, line->number, STR_ARG(repo));
	return NULL;
}

static bool add_parents(struct stack *s, const char *path)
{
	struct line_list lines = { 0 };
	char *file = path_join(path, "parent");
	bool ok = lines_read(s->how->arena, file, &lines, s->e);
	for (size_t i = 0; ok && i < lines.list.n; i++) {
		char *parent = parent_path(s, path, &lines.list.v[i]);
		ok = parent != NULL && add_profile(s, parent, file);
		free(parent);
	}
	vec_fini(&lines.list);
	free(file);
	return ok;
}

static bool add_profile(struct stack *s, const char *path, const char *named_by)
{
	if (!fs_is_dir(AT_FDCWD, path) || s->depth >= MAX_DEPTH)
		return err_set(s->e, ERR_USAGE, "config.profile",
			s->depth >= MAX_DEPTH
				? "%s names the profile %s, which has itself for a parent"
				: "%s names the profile %s, which is no directory; choose one "
				  "below a repository's profiles/",
			named_by, path);
	s->depth++;
	char *real = fs_real(path, s->e);
	struct policy *p = arena_calloc(s->how->arena, 1, sizeof *p);
	bool ok = real != NULL && add_parents(s, real);
	if (ok)
		vec_push(&s->out->list, p);
	ok = ok && policy_read(s->how, real, p, s->e);
	free(real);
	s->depth--;
	return ok;
}

bool profiles_read(const struct policy_how *how, const struct repo_set *repos, const char *path,
	struct profiles *out, struct err *e)
{
	struct stack s = { .how = how, .repos = repos, .out = out, .e = e };
	return add_profile(&s, path, path);
}

void profiles_fini(struct profiles *p)
{
	for (size_t i = 0; i < p->list.n; i++)
		policy_fini(p->list.v[i]);
	vec_fini(&p->list);
}
