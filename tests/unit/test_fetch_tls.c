#include "fetch_server.h"

#include "mem.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* https with certificates of a private authority: good, expired, and for another host. */

/* Make them; NULL and a skipped test where there is no openssl. */
static char *make_certs(void)
{
	const char *slash = strrchr(__FILE__, '/');
	char *script = xasprintf("%.*s/../server/certs.sh",
		slash != NULL ? (int)(slash - __FILE__) : 1, slash != NULL ? __FILE__ : ".");
	char *dir = xstrdup(test_dir());
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", script, dir, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	free(script);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return dir;
	free(dir);
	test_skip("openssl cannot make certificates");
	return NULL;
}

static bool start(struct server *s, const char *certs, const char *name, const char *other)
{
	char *cert = xasprintf("%s/%s.pem", certs, name),
	     *key = xasprintf("%s/%s.key", certs, name);
	bool ok = server_start(
		s, (const char *const[]){ "--tls", cert, key, "--other", other, NULL });
	free(cert);
	free(key);
	return ok;
}

/* What comes of data.bin from a server with that certificate, trusting that bundle. */
static void try_cert(const char *certs, const char *name, const char *trusted, const char *want)
{
	struct server s = { 0 };
	struct attempt a = { 0 };
	if (!start(&s, certs, name, ""))
		return;
	char *bundle = xasprintf("%s/%s", certs, trusted);
	a.opts.ca_file = bundle;
	attempt_run(&a, &s, (const char *const[]){ "/ok/data.bin", NULL });
	if (want == NULL && !(a.ok && attempt_has_data(&a, &s)))
		test_fail(__FILE__, __LINE__, "%s: %s", name, a.e.message);
	if (want != NULL && (a.ok || strstr(a.e.message, want) == NULL))
		test_fail(__FILE__, __LINE__, "%s: lacks \"%s\": %s", name, want, a.e.message);
	free(bundle);
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_trusts_a_private_authority_that_was_named)
{
	char *certs = make_certs();
	if (certs != NULL)
		try_cert(certs, "good", "ca.pem", NULL);
	free(certs);
}

TEST(fetch_tells_doubts_about_a_certificate_apart)
{
	char *certs = make_certs();
	if (certs == NULL)
		return;
	try_cert(certs, "good", "name.pem", "certificate of an unknown authority");
	try_cert(certs, "good", "name.pem", "SSL_CERT_FILE");
	try_cert(certs, "expired", "ca.pem", "certificate not valid at this time");
	try_cert(certs, "name", "ca.pem", "certificate is for another host");
	free(certs);
}

TEST(fetch_does_no_https_when_the_named_bundle_is_missing)
{
	char *certs = make_certs();
	if (certs != NULL)
		try_cert(certs, "good", "missing.pem", "make.conf names ");
	free(certs);
}

TEST(fetch_goes_from_http_to_https_but_never_back)
{
	char *certs = make_certs();
	struct server plain = { 0 }, secure = { 0 }, up = { 0 };
	struct attempt a = { 0 }, b = { 0 };
	if (certs == NULL)
		return;
	char *bundle = xasprintf("%s/ca.pem", certs);
	a.opts.ca_file = b.opts.ca_file = bundle;
	if (server_start(&plain, NULL) && start(&secure, certs, "good", plain.url) &&
		server_start(&up, (const char *const[]){ "--other", secure.url, NULL })) {
		attempt_run(&a, &secure, (const char *const[]){ "/other/ok/data.bin", NULL });
		CHECK(!a.ok);
		CHECK(strstr(a.e.message, "redirect from https to http refused") != NULL);
		CHECK(strstr(a.e.message, plain.url) && strstr(a.e.message, secure.url));
		char *log = server_log(&plain);
		CHECK(log[0] == '\0');
		free(log);
		attempt_run(&b, &up, (const char *const[]){ "/other/ok/data.bin", NULL });
		CHECK(b.ok && attempt_has_data(&b, &up));
	}
	free(bundle);
	free(certs);
	attempt_fini(&a);
	attempt_fini(&b);
	server_stop(&plain);
	server_stop(&secure);
	server_stop(&up);
}
