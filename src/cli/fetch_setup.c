#include "fetch_setup.h"

#include "fs.h"

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

static bool load_mirrors(const struct fetch_setup *s, struct mirrors *m, struct err *e)
{
	bool ok = add_mirror_file(m, s->eprefix, "etc/portage/mirrors", e);
	for (size_t i = 0; ok && i < s->n_repos; i++)
		ok = add_mirror_file(m, s->repos[i], "profiles/thirdpartymirrors", e);
	return ok && mirrors_add_apt(m, "", e);
}

static const char *var(const struct fetch_setup *s, const char *name)
{
	const char *value = s->var(s->ctx, name);
	return value != NULL && value[0] != '\0' ? arena_strdup(s->arena, value) : NULL;
}

/* GENTOO_MIRRORS as an array. */
static void split_mirrors(const struct fetch_setup *s, struct fetch_opts *out)
{
	struct str all = str_of(var(s, "GENTOO_MIRRORS")), rest = all, word;
	size_t n = 0;
	while (str_word(&rest, &word))
		n++;
	const char **list = arena_calloc(s->arena, n + 1, sizeof *list);
	for (rest = all; str_word(&rest, &word);)
		list[out->n_mirrors++] = arena_strndup(s->arena, word.p, word.n);
	out->mirrors = list;
}

bool fetch_set_up(const struct fetch_setup *s, struct fetch_opts *out, struct mirrors **mirrors,
	struct err *e)
{
	*mirrors = mirrors_new();
	*out = (struct fetch_opts){ .names = *mirrors,
		.http_proxy = var(s, "http_proxy"),
		.https_proxy = var(s, "https_proxy"),
		.no_proxy = var(s, "no_proxy"),
		.ca_file = var(s, "SSL_CERT_FILE"),
		.ca_dir = var(s, "SSL_CERT_DIR"),
		.eprefix = s->eprefix };
	split_mirrors(s, out);
	return load_mirrors(s, *mirrors, e);
}
