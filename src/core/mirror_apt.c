#include "mirror_apt.h"

#include "fetch_url.h"
#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>

/* A file's text; absent or forbidden files count as empty (apt's own keys may be root's). */
static bool read_text(const char *path, struct buf *text, struct err *e)
{
	struct err local = ERR_INIT;
	if (fs_read(AT_FDCWD, path, text, &local))
		return true;
	if (local.sys == ENOENT || local.sys == ENOTDIR || local.sys == EACCES)
		return true;
	*e = local;
	return false;
}

typedef void parse_fn(struct str text, void *ctx);

static bool parse_file(const char *path, parse_fn *parse, void *ctx, struct err *e)
{
	struct buf text = BUF_INIT;
	bool ok = read_text(path, &text, e);
	if (ok && text.n > 0)
		parse((struct str){ text.p, text.n }, ctx);
	buf_fini(&text);
	return ok;
}

/* Every file of the directory whose name ends so, in byte order as apt reads them. */
static bool parse_dir(
	const char *dir, const char *suffix, parse_fn *parse, void *ctx, struct err *e)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	bool ok = true;
	if (!fs_list(AT_FDCWD, dir, &names, &ignored))
		return true;
	for (size_t i = 0; ok && i < names.n; i++) {
		if (!str_ends(str_of(names.v[i]), suffix))
			continue;
		char *path = path_join(dir, names.v[i]);
		ok = parse_file(path, parse, ctx, e);
		free(path);
	}
	strv_fini(&names);
	return ok;
}

static void parse_list(struct str text, void *ctx)
{
	apt_parse_list(text, ctx);
}

static void parse_sources(struct str text, void *ctx)
{
	apt_parse_sources(text, ctx);
}

static void parse_conf(struct str text, void *ctx)
{
	apt_conf_parse(text, ctx);
}

static bool read_sources(const char *etc, struct apt_sources *out, struct err *e)
{
	char *list = path_join(etc, "sources.list"), *dir = path_join(etc, "sources.list.d");
	bool ok = parse_file(list, parse_list, out, e) &&
		  parse_dir(dir, ".list", parse_list, out, e) &&
		  parse_dir(dir, ".sources", parse_sources, out, e);
	free(list);
	free(dir);
	return ok;
}

static bool read_conf(const char *etc, struct apt_conf *out, struct err *e)
{
	char *file = path_join(etc, "apt.conf"), *dir = path_join(etc, "apt.conf.d");
	bool ok = parse_dir(dir, "", parse_conf, out, e) && parse_file(file, parse_conf, out, e);
	free(file);
	free(dir);
	return ok;
}

/*
 * The proxy apt would use: Acquire::http::Proxy::HOST, Acquire::http::Proxy; https falls back to
 * http's (apt-transport-https(1)); DIRECT is none. NULL: apt says nothing.
 */
static char *proxy_for(const struct apt_conf *conf, const char *url)
{
	char *authority = url_authority(url);
	const char *scheme = url_is_https(url) ? "https" : "http";
	char *name = xasprintf(
		"acquire::%s::proxy::%.*s", scheme, (int)strcspn(authority, ":"), authority);
	const char *value = apt_conf_get(conf, name);
	if (value == NULL && url_is_https(url))
		value = apt_conf_get(conf, "acquire::https::proxy");
	if (value == NULL)
		value = apt_conf_get(conf, "acquire::http::proxy");
	free(name);
	free(authority);
	if (value == NULL || value[0] == '\0')
		return NULL;
	return xstrdup(strcasecmp(value, "DIRECT") == 0 ? "" : value);
}

/* apt keeps the release files it has fetched under a name made of the address. */
static bool release_is_debian(const char *sysroot, const char *uri)
{
	char *lists = xasprintf("%s/var/lib/apt/lists", sysroot);
	const char *address = strstr(uri, "://");
	char *prefix = xasprintf("%s_dists_", address != NULL ? address + 3 : uri);
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	bool found = false;
	for (char *c = prefix; *c != '\0'; c++)
		if (*c == '/')
			*c = '_';
	bool listed = fs_list(AT_FDCWD, lists, &names, &ignored);
	for (size_t i = 0; listed && !found && i < names.n; i++) {
		if (!str_starts(str_of(names.v[i]), prefix) ||
			!str_ends(str_of(names.v[i]), "Release"))
			continue;
		struct buf text = BUF_INIT;
		char *path = path_join(lists, names.v[i]);
		found = fs_read(AT_FDCWD, path, &text, &ignored) &&
			strstr(buf_str(&text), "\nOrigin: Debian\n") != NULL;
		free(path);
		buf_fini(&text);
	}
	strv_fini(&names);
	free(prefix);
	free(lists);
	return found;
}

enum kinship { ARCHIVE, BESIDE, FOREIGN };

/* The archive of Debian by the usual name of its directory or by its release file; what lies
 * beside it (debian-security); or another. */
static enum kinship kinship_of(const char *sysroot, const char *uri)
{
	const char *last = strrchr(uri, '/');
	if (last != NULL && strcmp(last, "/debian") == 0)
		return ARCHIVE;
	if (last != NULL && strncmp(last, "/debian", 7) == 0)
		return BESIDE;
	return release_is_debian(sysroot, uri) ? ARCHIVE : FOREIGN;
}

static void add_base(const struct apt_conf *conf, const char *uri, struct mirror_urls *out)
{
	char *path = url_local_path(uri);
	if (path == NULL && !url_is_http(uri))
		return;
	char *proxy = path == NULL ? proxy_for(conf, uri) : NULL;
	vec_push(out, (struct mirror_url){ .url = xstrdup(uri), .proxy = proxy });
	free(path);
}

struct search {
	const char *sysroot;
	struct apt_sources sources;
	struct apt_conf conf;
	struct mirror_urls *out;
};

/* "mirror+file:/path": the file lists one address a line, perhaps with a tab and options. */
static bool add_listed(struct search *s, const char *uri, struct err *e)
{
	struct buf text = BUF_INIT;
	const char *named = uri + strlen("mirror+file:");
	char *path = xasprintf("%s%s", s->sysroot, named + (strncmp(named, "//", 2) == 0 ? 2 : 0));
	bool ok = read_text(path, &text, e);
	struct str rest = { text.p, text.n }, line, word;
	while (ok && str_split(&rest, '\n', &line)) {
		if (!str_word(&line, &word) || word.p[0] == '#')
			continue;
		char *one = xstrndup(word.p, word.n);
		add_base(&s->conf, one, s->out);
		free(one);
	}
	free(path);
	buf_fini(&text);
	return ok;
}

static void strip_slashes(char *s)
{
	for (size_t n = strlen(s); n > 1 && s[n - 1] == '/'; n--)
		s[n - 1] = '\0';
}

static bool add_kin(struct search *s, enum kinship kin, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < s->sources.n; i++) {
		const char *uri = s->sources.v[i].uri;
		bool listed = strncmp(uri, "mirror+file:", 12) == 0;
		enum kinship is = listed ? ARCHIVE : kinship_of(s->sysroot, uri);
		if (!s->sources.v[i].main || is != kin)
			continue;
		if (listed)
			ok = add_listed(s, uri, e);
		else
			add_base(&s->conf, uri, s->out);
	}
	return ok;
}

bool apt_bases(const char *sysroot, struct mirror_urls *out, struct err *e)
{
	struct search s = { .sysroot = sysroot, .out = out };
	char *etc = xasprintf("%s/etc/apt", sysroot);
	bool ok = read_sources(etc, &s.sources, e) && read_conf(etc, &s.conf, e);
	for (size_t i = 0; i < s.sources.n; i++)
		strip_slashes(s.sources.v[i].uri);
	/* Foreign archives are asked only where no Debian one is known. */
	ok = ok && add_kin(&s, ARCHIVE, e) && add_kin(&s, BESIDE, e) &&
	     (out->n > 0 || add_kin(&s, FOREIGN, e));
	apt_sources_fini(&s.sources);
	apt_conf_fini(&s.conf);
	free(etc);
	return ok;
}
