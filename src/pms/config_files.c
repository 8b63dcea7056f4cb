#include "config_int.h"

#include "fs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* What Portage ships as make.globals, as far as it decides something here. */
static const char builtin[] =
	"ACCEPT_LICENSE=\"* -@EULA\"\n"
	"ACCEPT_PROPERTIES=\"*\"\n"
	"ACCEPT_RESTRICT=\"*\"\n"
	"CONFIG_PROTECT=\"/etc\"\n"
	"USE_ORDER=\"env:pkg:conf:defaults:pkginternal:features:repo:env.d\"\n";

/* Of the user's environment beside the incremental variables and those of USE_EXPAND. */
static const char *const from_env[] = { "USE", "MAKEOPTS", "EMERGE_DEFAULT_OPTS", "DISTDIR",
	"PKGDIR", "GENTOO_MIRRORS", "PORTAGE_TMPDIR", "PORTAGE_BINHOST", "PORTAGE_LOGDIR",
	"USE_ORDER", NULL };

static struct makeconf reader(struct config *c, enum layer layer)
{
	return (struct makeconf){ .arena = &c->arena,
		.expand = &c->expand,
		.out = &c->layer[layer],
		.warnings = &c->warnings,
		.sourcing = layer == LAYER_CONF };
}

static bool read_below(
	struct config *c, enum layer layer, const char *dir, const char *name, struct err *e)
{
	struct makeconf m = reader(c, layer);
	char *path = path_join(dir, name);
	bool ok = makeconf_read(&m, path, e);
	free(path);
	return ok;
}

static bool read_globals(struct config *c, struct err *e)
{
	struct makeconf m = reader(c, LAYER_GLOBALS);
	vars_set(&c->expand, "EPREFIX", c->eprefix);
	return makeconf_text(&m, str_of(builtin), "make.globals", e) &&
	       read_below(
		       c, LAYER_GLOBALS, c->eprefix, "usr/share/portage/config/make.globals", e) &&
	       read_below(c, LAYER_ENV_D, c->eprefix, "etc/profile.env", e);
}

static bool read_repositories(struct config *c, struct err *e)
{
	bool ok = true;
	c->of_repo = arena_calloc(&c->arena, c->repos->list.n, sizeof *c->of_repo);
	for (size_t i = 0; ok && i < c->repos->list.n; i++) {
		struct vars apart = VARS_INIT; /* theirs are not seen by other layers */
		struct policy_how how = { &c->arena, &apart, &c->warnings };
		char *path = path_join(c->repos->list.v[i]->path, "profiles");
		ok = policy_read(&how, path, &c->of_repo[i], e);
		free(path);
		vars_fini(&apart);
	}
	return ok;
}

/* etc/portage/make.profile, with etc/make.profile as the old place; NULL: there is none. */
static char *profile_path(const struct config *c, const struct config_options *o)
{
	static const char *const places[] = { "make.profile", "../make.profile" };
	if (o->profile != NULL)
		return xstrdup(o->profile);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *path = path_join(c->user_dir, places[i]);
		if (fs_exists(AT_FDCWD, path))
			return path;
		free(path);
	}
	return NULL;
}

static bool read_profiles(struct config *c, const struct config_options *o, struct err *e)
{
	struct policy_how how = { &c->arena, &c->expand, &c->warnings };
	char *path = profile_path(c, o);
	bool ok = path == NULL || profiles_read(&how, c->repos, path, &c->profiles, e);
	free(path);
	struct policy *user = arena_calloc(&c->arena, 1, sizeof *user);
	user->user = true;
	vec_push(&c->profiles.list, user);
	path = path_join(c->user_dir, "profile");
	ok = ok && policy_read(&how, path, user, e);
	free(path);
	return ok;
}

/* The variables of all make.defaults in one layer: incremental ones add up. */
static void merge_defaults(struct config *c)
{
	struct vars *to = &c->layer[LAYER_DEFAULTS];
	for (size_t i = 0; i < c->profiles.list.n; i++) {
		const struct vars *from = &c->profiles.list.v[i]->make_defaults;
		for (size_t j = 0; j < from->names.n; j++) {
			const char *name = from->names.v[j], *value = vars_get(from, name);
			const char *below = vars_get(to, name);
			if (below != NULL && config_incremental(name))
				value = arena_printf(&c->arena, "%s %s", below, value);
			vars_set(to, name, value);
		}
	}
}

bool config_expands(const struct config *c, const char *name)
{
	for (size_t i = 0; i < LAYER_ENV; i++) {
		const char *names = vars_get(&c->layer[i], "USE_EXPAND");
		struct str rest = str_of(names), word;
		while (str_word(&rest, &word)) {
			if (str_is(word, name))
				return true;
		}
	}
	return false;
}

static bool wanted_from_env(const struct config *c, const char *name)
{
	for (size_t i = 0; from_env[i] != NULL; i++) {
		if (strcmp(from_env[i], name) == 0)
			return true;
	}
	return config_incremental(name) || config_expands(c, name);
}

static void read_env(struct config *c, const char *const *env)
{
	for (; env != NULL && *env != NULL; env++) {
		const char *equals = strchr(*env, '=');
		if (equals == NULL)
			continue;
		char *name = xstrndup(*env, (size_t)(equals - *env));
		if (wanted_from_env(c, name))
			vars_set(&c->layer[LAYER_ENV], name, arena_strdup(&c->arena, equals + 1));
		free(name);
	}
}

bool config_read_layers(struct config *c, const struct config_options *o, struct err *e)
{
	bool ok = read_globals(c, e) && read_repositories(c, e) && read_profiles(c, o, e) &&
		  read_below(c, LAYER_CONF, c->user_dir, "../make.conf", e) &&
		  read_below(c, LAYER_CONF, c->user_dir, "make.conf", e);
	if (!ok)
		return false;
	merge_defaults(c);
	read_env(c, o->env);
	return true;
}

/* "PREFIX: a -b" in package.use: prefix_a -prefix_b for the rest of the line. */
static void expand_words(struct config *c, struct line *l)
{
	struct str prefix = { NULL, 0 };
	size_t n = 1;
	for (size_t i = 1; i < l->n; i++) {
		struct str word = l->words[i];
		if (str_ends(word, ":")) {
			prefix =
				config_expand_prefix(&c->arena, (struct str){ word.p, word.n - 1 });
			continue;
		}
		bool off = str_starts(word, "-");
		if (prefix.n > 0)
			word = str_of(arena_printf(&c->arena, "%s%.*s%.*s", off ? "-" : "",
				STR_ARG(prefix), (int)(word.n - off), word.p + off));
		l->words[n++] = word;
	}
	l->n = n;
}

static void add_global(struct config *c, struct user_table *t, const struct line *l)
{
	struct str *all = arena_alloc(&c->arena, (t->n_global + l->n) * sizeof *all);
	if (t->n_global > 0)
		memcpy(all, t->global, t->n_global * sizeof *all);
	memcpy(all + t->n_global, l->words + 1, (l->n - 1) * sizeof *all);
	t->n_global += l->n - 1;
	t->global = all;
}

static bool read_user_table(struct config *c, const char *name, struct user_table *t, struct err *e)
{
	struct atom_file how = { &c->arena, STR(""), ATOM_USER, &c->warnings };
	struct line_list lines = { 0 };
	char *path = path_join(c->user_dir, name);
	bool ok = lines_read(&c->arena, path, &lines, e);
	for (size_t i = 0; ok && i < lines.list.n; i++) {
		struct line *l = &lines.list.v[i];
		if (t == &c->use)
			expand_words(c, l);
		if (str_is(l->words[0], "*/*"))
			add_global(c, t, l);
		else
			atom_table_add_line(&how, l, &t->table);
	}
	vec_fini(&lines.list);
	free(path);
	return ok;
}

bool config_read_user_files(struct config *c, struct err *e)
{
	struct line_list mask = { 0 }, unmask = { 0 };
	char *mask_path = path_join(c->user_dir, "package.mask");
	char *unmask_path = path_join(c->user_dir, "package.unmask");
	bool ok = read_user_table(c, "package.use", &c->use, e) &&
		  read_user_table(c, "package.keywords", &c->keywords, e) &&
		  read_user_table(c, "package.accept_keywords", &c->keywords, e) &&
		  read_user_table(c, "package.license", &c->license, e) &&
		  read_user_table(c, "package.properties", &c->properties, e) &&
		  read_user_table(c, "package.accept_restrict", &c->restrict_, e) &&
		  read_user_table(c, "package.env", &c->env, e) &&
		  lines_read(&c->arena, mask_path, &mask, e) &&
		  lines_read(&c->arena, unmask_path, &unmask, e);
	if (ok)
		config_read_masks(c, &mask, &unmask);
	vec_fini(&mask.list);
	vec_fini(&unmask.list);
	free(mask_path);
	free(unmask_path);
	return ok;
}
