#include "config_int.h"

#include <stdlib.h>
#include <string.h>

/* What says how packages are chosen, fetched, merged and confined, or is decided by the toolchain
 * and the engine: no build is to see it. */
static const char *const not_for_builds[] = { "AUTOCLEAN", "CBUILD", "CHOST", "CLEAN_DELAY",
	"CONFIG_SITE", "CTARGET", "DISTDIR", "EPREFIX", "FEATURES", "FETCHCOMMAND",
	"GENTOO_MIRRORS", "HOME", "LC_ALL", "LD_LIBRARY_PATH", "LD_PRELOAD", "MAKEFLAGS",
	"MAKEOPTS", "NINJAOPTS", "NOCOLOR", "PATH", "PKGDIR", "PKG_CONFIG_LIBDIR",
	"PKG_CONFIG_PATH", "PKG_INSTALL_MASK", "RESUMECOMMAND", "ROOT", "SHELL",
	"SOURCE_DATE_EPOCH", "SYSROOT", "TERM", "TMPDIR", "UNINSTALL_IGNORE", "USE", NULL };
static const char *const not_beginning[] = { "ACCEPT_", "BINPKG_", "COLLISION_", "CONFIG_PROTECT",
	"EMERGE_", "PORTAGE", "PORTDIR", "SSL_CERT_", "USE_", NULL };

static bool is_variable_of_builds(const struct config *c, const char *name)
{
	for (const char *s = name; *s != '\0'; s++) {
		if (!(*s == '_' || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9')))
			return false;
	}
	for (size_t i = 0; not_for_builds[i] != NULL; i++) {
		if (strcmp(name, not_for_builds[i]) == 0)
			return false;
	}
	for (size_t i = 0; not_beginning[i] != NULL; i++) {
		if (strncmp(name, not_beginning[i], strlen(not_beginning[i])) == 0)
			return false;
	}
	return !config_expands(c, name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(
		((const struct config_assign *)a)->name, ((const struct config_assign *)b)->name);
}

static void assign(struct config_env *out, const char *name, const char *value)
{
	for (size_t i = 0; i < out->list.n; i++) {
		if (strcmp(out->list.v[i].name, name) == 0) {
			out->list.v[i].value = value;
			return;
		}
	}
	vec_push(&out->list, (struct config_assign){ name, value });
}

/* Words are added to the list, or with "-" before them taken from it. */
static void stack_words(struct word_list *on, const char *text)
{
	struct str rest = str_of(text), word;
	while (str_word(&rest, &word)) {
		bool off = str_starts(word, "-");
		struct str name = { word.p + off, word.n - off };
		size_t n = 0;
		for (size_t i = 0; i < on->list.n; i++) {
			if (!str_eq(on->list.v[i], name))
				on->list.v[n++] = on->list.v[i];
		}
		on->list.n = n;
		if (!off)
			vec_push(&on->list, name);
	}
}

/* FEATURES adds up over make.conf, the environment and the package's own files. */
static const char *features(const struct config *c, const struct config_env *own)
{
	struct word_list on = { 0 };
	const char *all = "";
	stack_words(&on, config_var(c, "FEATURES"));
	for (size_t i = 0; i < own->list.n; i++) {
		if (strcmp(own->list.v[i].name, "FEATURES") == 0)
			stack_words(&on, own->list.v[i].value);
	}
	for (size_t i = 0; i < on.list.n; i++)
		all = arena_printf(
			c->texts, "%s%s%.*s", all, i > 0 ? " " : "", STR_ARG(on.list.v[i]));
	vec_fini(&on.list);
	return all;
}

bool config_build_env(
	const struct config *c, const struct pkg *p, struct config_env *out, struct err *e)
{
	const struct vars *conf = &c->layer[LAYER_CONF];
	struct config_env own = { 0 };
	bool ok = config_env(c, p, &own, e);
	for (size_t i = 0; ok && i < conf->names.n; i++) {
		const char *name = conf->names.v[i];
		if (is_variable_of_builds(c, name))
			assign(out, arena_strdup(c->texts, name), vars_get(conf, name));
	}
	for (size_t i = 0; ok && i < own.list.n; i++) {
		if (is_variable_of_builds(c, own.list.v[i].name))
			assign(out, own.list.v[i].name, own.list.v[i].value);
	}
	const char *on = ok ? features(c, &own) : "";
	if (on[0] != '\0')
		assign(out, "FEATURES", on);
	vec_fini(&own.list);
	if (out->list.n > 0)
		qsort(out->list.v, out->list.n, sizeof *out->list.v, by_name);
	return ok;
}
