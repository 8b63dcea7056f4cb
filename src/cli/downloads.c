#include "engine.h"

#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>

static bool add_mirror_file(struct mirrors *m, const char *dir, const char *name, struct err *e)
{
	struct buf text = BUF_INIT;
	char *path = path_join(dir, name);
	bool ok = !fs_exists(AT_FDCWD, path) || fs_read(AT_FDCWD, path, &text, e);
	if (ok)
		mirrors_add(m, (struct str){ text.p, text.n });
	buf_fini(&text);
	free(path);
	return ok;
}

/* The user's lists come first, then those of the repositories, the highest priority first. */
static bool load_mirrors(struct downloads *d, const struct engine *g, struct err *e)
{
	d->mirrors = mirrors_new();
	bool ok = add_mirror_file(d->mirrors, g->eprefix, "etc/portage/mirrors", e);
	for (size_t i = g->repos->list.n; ok && i > 0; i--)
		ok = add_mirror_file(
			d->mirrors, g->repos->list.v[i - 1]->path, "profiles/thirdpartymirrors", e);
	return ok && mirrors_add_apt(d->mirrors, "", e);
}

/* GENTOO_MIRRORS as an array. */
static void split_mirrors(struct downloads *d, const char *text)
{
	struct str rest = str_of(text), word;
	size_t n = 0;
	while (str_word(&rest, &word))
		n++;
	const char **all = arena_calloc(&d->arena, n + 1, sizeof *all);
	rest = str_of(text);
	while (str_word(&rest, &word))
		all[d->opts.n_mirrors++] = arena_strndup(&d->arena, word.p, word.n);
	d->opts.mirrors = all;
}

static const char *var_or_null(const struct engine *g, const char *name)
{
	const char *value = config_var(g->config, name);
	return value[0] != '\0' ? value : NULL;
}

bool downloads_open(struct downloads *d, const struct engine *g, struct err *e)
{
	const char *distdir = var_or_null(g, "DISTDIR");
	*d = (struct downloads){ 0 };
	d->opts = (struct fetch_opts){ .eprefix = g->eprefix,
		.http_proxy = var_or_null(g, "http_proxy"),
		.https_proxy = var_or_null(g, "https_proxy"),
		.no_proxy = var_or_null(g, "no_proxy"),
		.ca_file = var_or_null(g, "SSL_CERT_FILE"),
		.ca_dir = var_or_null(g, "SSL_CERT_DIR") };
	d->opts.distdir = distdir != NULL
				  ? distdir
				  : arena_printf(&d->arena, "%s/var/cache/distfiles", g->eprefix);
	split_mirrors(d, config_var(g->config, "GENTOO_MIRRORS"));
	if (!load_mirrors(d, g, e))
		return false;
	d->opts.names = d->mirrors;
	return true;
}

void downloads_close(struct downloads *d)
{
	mirrors_free(d->mirrors);
	arena_fini(&d->arena);
	*d = (struct downloads){ 0 };
}
