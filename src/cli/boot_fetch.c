#include "boot.h"

#include "fs.h"
#include "makeconf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static bool add_mirror_file(struct boot *b, const char *path, struct err *e)
{
	struct buf text = BUF_INIT;
	bool ok = !fs_exists(AT_FDCWD, path) || fs_read(AT_FDCWD, path, &text, e);
	if (ok)
		mirrors_add(b->mirrors, (struct str){ text.p, text.n });
	buf_fini(&text);
	return ok;
}

/* The user's mirrors first, then each overlay's, then what the host's apt is told. */
static bool load_mirrors(struct boot *b, struct err *e)
{
	b->mirrors = mirrors_new();
	if (!add_mirror_file(b, boot_path(b, "etc/portage/mirrors"), e))
		return false;
	for (size_t i = 0; i < b->repos.n; i++) {
		char *path = path_join(b->repos.v[i], "profiles/thirdpartymirrors");
		bool ok = add_mirror_file(b, path, e);
		free(path);
		if (!ok)
			return false;
	}
	return mirrors_add_apt(b->mirrors, "", e);
}

/* A list of words as an array that lives as long as the boot. */
static const char *const *words(struct boot *b, const char *text, size_t *n)
{
	VEC(const char *) list = { 0 };
	struct str rest = str_of(text != NULL ? text : ""), word;
	while (str_word(&rest, &word))
		vec_push(&list, arena_strndup(&b->arena, word.p, word.n));
	const char **copy = arena_alloc(&b->arena, (list.n + 1) * sizeof *copy);
	if (list.n > 0)
		memcpy(copy, list.v, list.n * sizeof *copy);
	*n = list.n;
	vec_fini(&list);
	return copy;
}

static bool read_make_conf(struct boot *b, struct vars *out, struct err *e)
{
	struct vars expand = VARS_INIT;
	struct strv warnings = STRV_INIT;
	vars_set(&expand, "EPREFIX", b->eprefix);
	const struct makeconf m = { .arena = &b->arena,
		.expand = &expand,
		.out = out,
		.warnings = &warnings,
		.sourcing = true };
	bool ok = makeconf_read(&m, boot_path(b, "etc/portage/make.conf"), e);
	for (size_t i = 0; i < warnings.n; i++)
		cli_warn("%s", warnings.v[i]);
	strv_fini(&warnings);
	vars_fini(&expand);
	return ok;
}

static const char *own(struct boot *b, const char *s)
{
	return s != NULL ? arena_strdup(&b->arena, s) : NULL;
}

bool boot_distdir(struct boot *b, struct err *e)
{
	struct vars conf = VARS_INIT;
	bool ok = read_make_conf(b, &conf, e);
	const char *wish = cli_value(b->cli, "distdir", vars_get(&conf, "DISTDIR"));
	free(b->distdir);
	b->distdir = NULL;
	if (ok && wish != NULL)
		b->distdir = fs_is_dir(AT_FDCWD, wish) ? fs_real(wish, e) : path_clean(wish);
	else
		b->distdir = path_join(b->eprefix, "var/cache/distfiles");
	vars_fini(&conf);
	if (ok && wish != NULL && b->distdir != NULL && b->distdir[0] != '/')
		return err_set(e, ERR_USAGE, "boot.distdir",
			"--distdir %s: there is no such directory", wish);
	return ok && b->distdir != NULL;
}

bool boot_fetch(struct boot *b, struct err *e)
{
	struct vars conf = VARS_INIT;
	bool ok = load_mirrors(b, e) && read_make_conf(b, &conf, e);
	struct fetch_opts *f = &b->fetch;
	*f = (struct fetch_opts){ .distdir = b->distdir,
		.names = b->mirrors,
		.offline = cli_has(b->cli, "offline"),
		.http_proxy = own(b, vars_get(&conf, "http_proxy")),
		.https_proxy = own(b, vars_get(&conf, "https_proxy")),
		.no_proxy = own(b, vars_get(&conf, "no_proxy")),
		.ca_file = own(b, vars_get(&conf, "SSL_CERT_FILE")),
		.ca_dir = own(b, vars_get(&conf, "SSL_CERT_DIR")),
		.eprefix = b->eprefix };
	f->mirrors = words(b, vars_get(&conf, "GENTOO_MIRRORS"), &f->n_mirrors);
	vars_fini(&conf);
	return ok;
}
