#include "fetch_env.h"

#include "fetch_url.h"
#include "mem.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

static const char *first_set(const char *const *names)
{
	for (; *names != NULL; names++) {
		const char *v = getenv(*names);
		if (v != NULL && v[0] != '\0')
			return v;
	}
	return NULL;
}

static const char *or_empty(const char *a, const char *b)
{
	if (a != NULL)
		return a;
	return b != NULL ? b : "";
}

const char *env_no_proxy(const struct fetch_opts *o)
{
	static const char *const names[] = { "no_proxy", "NO_PROXY", NULL };
	return or_empty(first_set(names), o->no_proxy);
}

bool env_bypasses_proxy(const char *no_proxy, const char *url)
{
	char *authority = url_authority(url);
	struct str host = { authority, strcspn(authority, ":") };
	struct str rest = str_of(no_proxy), word;
	bool found = false;
	if (authority[0] == '[')
		host.n = strcspn(authority, "]") + 1;
	while (!found && str_split(&rest, ',', &word)) {
		word = str_trim(word);
		if (str_starts(word, "."))
			word = (struct str){ word.p + 1, word.n - 1 };
		size_t n = word.n;
		bool tail =
			n > 0 && host.n >= n && strncasecmp(host.p + host.n - n, word.p, n) == 0;
		found = str_is(word, "*") ||
			(tail && (host.n == n || host.p[host.n - n - 1] == '.'));
	}
	free(authority);
	return found;
}

const char *env_proxy(const struct fetch_opts *o, const char *url)
{
	static const char *const plain[] = { "http_proxy", "all_proxy", "ALL_PROXY", NULL };
	static const char *const secure[] = { "https_proxy", "HTTPS_PROXY", "all_proxy",
		"ALL_PROXY", NULL };
	if (env_bypasses_proxy(env_no_proxy(o), url))
		return "";
	if (url_is_https(url))
		return or_empty(first_set(secure), o->https_proxy);
	return or_empty(first_set(plain), o->http_proxy);
}

/* A place the user named: must be readable. */
static bool named(
	struct env_ca *ca, const char *origin, const char *path, bool is_dir, struct err *e)
{
	if (access(path, R_OK) != 0)
		return err_sys(e, "fetch.ca",
			"%s names %s, which cannot be read; correct or unset it", origin, path);
	ca->origin = origin;
	*(is_dir ? &ca->dir : &ca->file) = xstrdup(path);
	return true;
}

static bool ca_from_user(const struct fetch_opts *o, struct env_ca *ca, struct err *e)
{
	static const struct {
		const char *name;
		bool is_dir;
	} vars[] = {
		{ "CURL_CA_BUNDLE", false },
		{ "SSL_CERT_FILE", false },
		{ "SSL_CERT_DIR", true },
		{ "REQUESTS_CA_BUNDLE", false },
		{ "NIX_SSL_CERT_FILE", false },
	};
	for (size_t i = 0; i < sizeof vars / sizeof *vars; i++) {
		const char *v = getenv(vars[i].name);
		if (v != NULL && v[0] != '\0')
			return named(ca, vars[i].name, v, vars[i].is_dir, e);
	}
	if (o->ca_file != NULL && o->ca_file[0] != '\0')
		return named(ca, "SSL_CERT_FILE in make.conf", o->ca_file, false, e);
	if (o->ca_dir != NULL && o->ca_dir[0] != '\0')
		return named(ca, "SSL_CERT_DIR in make.conf", o->ca_dir, true, e);
	return true;
}

static bool take_if_there(char **slot, const char *prefix, const char *path)
{
	char *full = xasprintf("%s%s", prefix, path);
	bool there = access(full, R_OK) == 0;
	if (there)
		*slot = full;
	else
		free(full);
	return there;
}

static void ca_from_host(const struct fetch_opts *o, struct env_ca *ca)
{
	static const char *const files[] = {
		"/etc/ssl/certs/ca-certificates.crt", /* Debian, Gentoo, Arch, Alpine, NixOS */
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* Fedora, RHEL */
		"/etc/pki/tls/certs/ca-bundle.crt", /* CentOS */
		"/etc/ssl/ca-bundle.pem", /* SUSE */
		"/var/lib/ca-certificates/ca-bundle.pem",
		"/etc/ssl/cert.pem", /* macOS, BSD, Alpine */
		"/etc/pki/tls/cacert.pem",
		"/usr/local/etc/openssl@3/cert.pem", /* Homebrew */
		"/opt/homebrew/etc/openssl@3/cert.pem",
		"/usr/local/share/certs/ca-root-nss.crt",
		"/etc/openssl/certs/ca-certificates.crt",
	};
	static const char *const dirs[] = { "/etc/ssl/certs", "/etc/pki/tls/certs",
		"/system/etc/security/cacerts" };
	if (o->eprefix != NULL && take_if_there(&ca->file, o->eprefix, files[0]))
		return;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (take_if_there(&ca->file, "", files[i]))
			return;
	}
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		if (take_if_there(&ca->dir, "", dirs[i]))
			return;
	}
}

bool env_find_ca(const struct fetch_opts *o, struct env_ca *ca, struct err *e)
{
	*ca = (struct env_ca){ 0 };
	if (!ca_from_user(o, ca, e))
		return false;
	if (ca->origin == NULL)
		ca_from_host(o, ca);
	return true;
}

void env_ca_fini(struct env_ca *ca)
{
	free(ca->file);
	free(ca->dir);
	*ca = (struct env_ca){ 0 };
}
