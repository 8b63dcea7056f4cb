#include "fetch_server.h"

#include "fs.h"
#include "mem.h"
#include "vec.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Downloading from servers that behave in every way they do; nothing here measures time. */

/* One address; what must be said of it, or NULL when the file must come. */
static void try_one(const struct server *s, const char *path, const char *want)
{
	struct attempt a = { .opts = { .stall_s = 1, .tries = want == NULL ? 2 : 1 } };
	attempt_run(&a, s, (const char *const[]){ path, NULL });
	if (want == NULL && !(a.ok && attempt_has_data(&a, s)))
		test_fail(__FILE__, __LINE__, "%s: %s", path, a.e.message);
	if (want != NULL && (a.ok || a.e.code != ERR_SOURCE || !strstr(a.e.message, want) ||
				    !strstr(a.e.message, path)))
		test_fail(__FILE__, __LINE__, "%s: lacks \"%s\": %s", path, want, a.e.message);
	if (want != NULL && attempt_has_data(&a, s))
		test_fail(__FILE__, __LINE__, "%s: a file is in place", path);
	attempt_fini(&a);
}

TEST(fetch_succeeds_where_it_can)
{
	static const char *const paths[] = { "/ok/data.bin", "/nolength/data.bin",
		"/redirect/3/data.bin", "/ua/data.bin", "/fails/502/1/data.bin",
		"/fails/429/1/data.bin", "/slow/data.bin", "/flaky/100000/data.bin",
		"/flaky_novalidator/100000/data.bin", "/norange/100000/data.bin",
		"/badrange/100000/data.bin", "/416/100000/data.bin", "/once_cut/100000/data.bin",
		"/once_cut_liar/100000/data.bin" };
	struct server s = { 0 };
	if (!server_start(&s, NULL))
		return;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		try_one(&s, paths[i], NULL);
	server_stop(&s);
}

TEST(fetch_tells_every_failure_apart)
{
	static const char *const pairs[][2] = {
		{ "/html200/data.bin",
			"a web page instead of the file: its title is \"Please log in\"" },
		{ "/truncated/1000/data.bin",
			"truncated: end of response with 299000 bytes missing" },
		{ "/nolength_cut/1000/data.bin", "truncated: 1000 bytes, must be 300000" },
		{ "/short/data.bin", "wrong size: 299999 bytes, must be 300000" },
		{ "/long/data.bin", "wrong size, too large: 300001 bytes, must be 300000" },
		{ "/endless/data.bin", "wrong size, too large: more than 300000 bytes" },
		{ "/empty/data.bin", "wrong size: 0 bytes" },
		{ "/badhash/data.bin", "wrong checksum: BLAKE2B is " },
		{ "/404/data.bin", "not found: HTTP status 404" },
		{ "/status/410/data.bin", "not found: HTTP status 410" },
		{ "/status/403/data.bin", "access denied: HTTP status 403" },
		{ "/status/503/data.bin", "server failure: HTTP status 503" },
		{ "/status/418/data.bin", "the server said no: HTTP status 418" },
		{ "/loop/data.bin", "redirect loop" },
		{ "/redirect/20/data.bin", "redirect loop" },
		{ "/nowhere/data.bin", "unusable redirect: it does not say where to" },
		{ "/other/data.bin",
			"/other/data.bin -> ftp://host.invalid/data.bin: unusable redirect" },
		{ "/reset/1000/data.bin", "connection reset" },
		{ "/stall/1000/data.bin", "stalled" },
		{ "/silent/data.bin", "stalled" },
	};
	struct server s = { 0 };
	if (!server_start(&s, (const char *const[]){ "--other", "ftp://host.invalid", NULL }))
		return;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		try_one(&s, pairs[i][0], pairs[i][1]);
	server_stop(&s);
}

TEST(fetch_resumes_with_the_validator_and_only_the_rest)
{
	struct server s = { 0 };
	struct attempt a = { 0 };
	if (!server_start(&s, NULL))
		return;
	attempt_run(&a, &s, (const char *const[]){ "/flaky/100000/data.bin", NULL });
	char *log = server_log(&s);
	CHECK(a.ok && count_of(log, "GET\t") == 3);
	CHECK(count_of(log, "bytes=100000-\t\"") == 1 && count_of(log, "bytes=200000-\t\"") == 1);
	free(log);
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_resumes_what_an_earlier_run_left)
{
	struct server s = { 0 };
	struct attempt a = { .opts = { .tries = 1 } };
	if (!server_start(&s, NULL))
		return;
	attempt_run(&a, &s, (const char *const[]){ "/flaky/100000/data.bin", NULL });
	CHECK(!a.ok);
	char *part = xasprintf("%s/data.bin.__download__", a.distdir);
	CHECK(access(part, F_OK) == 0);
	a.e = ERR_INIT;
	a.opts.tries = 0;
	attempt_run(&a, &s, (const char *const[]){ "/flaky/100000/data.bin", NULL });
	CHECK(a.ok && attempt_has_data(&a, &s) && access(part, F_OK) != 0);
	char *log = server_log(&s);
	CHECK(count_of(log, "GET\t") == 3 && count_of(log, "bytes=100000-") == 1);
	free(log);
	free(part);
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_asks_nobody_when_all_bytes_are_there)
{
	struct server s = { 0 };
	struct attempt a = { .distdir = xstrdup(test_dir()) };
	struct err e = ERR_INIT;
	if (!server_start(&s, NULL))
		return;
	char *from = xasprintf("%s/root/data.bin", s.dir);
	char *to = xasprintf("%s/data.bin.__download__", a.distdir);
	CHECK_OK(fs_copy(AT_FDCWD, from, AT_FDCWD, to, &e), e);
	attempt_run(&a, &s, (const char *const[]){ "/ok/data.bin", NULL });
	char *log = server_log(&s);
	CHECK(a.ok && attempt_has_data(&a, &s) && log[0] == '\0');
	free(log);
	free(from);
	free(to);
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_goes_on_to_the_next_address_and_keeps_the_wrong_file)
{
	struct server s = { 0 };
	struct attempt a = { 0 };
	struct strv names = STRV_INIT;
	struct err e = ERR_INIT;
	if (!server_start(&s, NULL))
		return;
	attempt_run(&a, &s,
		(const char *const[]){ "/404/data.bin", "/badhash/data.bin", "/html200/data.bin",
			"/ok/data.bin", NULL });
	CHECK(a.ok && attempt_has_data(&a, &s));
	CHECK(count_of(buf_str(&a.events), "MISS") == 3);
	CHECK_OK(fs_list(AT_FDCWD, a.distdir, &names, &e), e);
	CHECK(names.n == 3 && strncmp(names.v[2], "data.bin._checksum_failure_.", 28) == 0);
	strv_fini(&names);
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_shows_both_digests_and_every_address)
{
	struct server s = { 0 };
	struct attempt a = { .wrong_digests = true };
	if (!server_start(&s, NULL))
		return;
	attempt_run(&a, &s,
		(const char *const[]){ "/ok/data.bin", "ftp://host.invalid/data.bin",
			"mirror://unheard/data.bin", NULL });
	CHECK(!a.ok && a.e.code == ERR_SOURCE);
	CHECK(strstr(a.e.message, ", must be ") != NULL);
	CHECK(strstr(a.e.message, "ftp://host.invalid/data.bin: unusable address") != NULL);
	CHECK(strstr(a.e.message, "mirror://unheard/data.bin: unusable address") != NULL);
	CHECK(strstr(a.e.message, "GENTOO_MIRRORS") != NULL);
	attempt_fini(&a);
	server_stop(&s);
}

/* A port that nobody listens on. */
static char *dead_url(int *fd)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t n = sizeof at;
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(bind(*fd, (struct sockaddr *)&at, n) == 0);
	CHECK(getsockname(*fd, (struct sockaddr *)&at, &n) == 0);
	return xasprintf("http://127.0.0.1:%u/data.bin", ntohs(at.sin_port));
}

TEST(fetch_does_not_ask_a_dead_host_again_in_a_run)
{
	struct server s = { 0 };
	struct attempt a = { 0 }, b = { 0 };
	int fd = -1;
	if (!server_start(&s, NULL))
		return;
	char *dead = dead_url(&fd), *list = xasprintf("%s/dead-hosts", s.dir);
	a.opts.dead_hosts = b.opts.dead_hosts = list;
	attempt_run(&a, &s, (const char *const[]){ dead, "/ok/data.bin", NULL });
	attempt_run(&b, &s, (const char *const[]){ dead, "/ok/data.bin", NULL });
	CHECK(a.ok && strstr(buf_str(&a.events), ": connection refused\n") != NULL);
	CHECK(b.ok &&
		strstr(buf_str(&b.events), "could not be reached before: connection refused"));
	char *begin = xasprintf("BEGIN %s", dead);
	CHECK(count_of(buf_str(&a.events), begin) == 1);
	CHECK(count_of(buf_str(&b.events), begin) == 0);
	free(begin);
	free(list);
	free(dead);
	close(fd);
	attempt_fini(&a);
	attempt_fini(&b);
	server_stop(&s);
}

TEST(fetch_says_that_a_host_or_a_proxy_cannot_be_reached)
{
	struct server s = { 0 };
	struct attempt a = { 0 }, b = { 0 };
	int fd = -1;
	if (!server_start(&s, NULL))
		return;
	attempt_run(&a, &s, (const char *const[]){ "http://host.invalid/data.bin", NULL });
	CHECK(!a.ok && strstr(a.e.message, "data.bin: host name not found\n") != NULL);
	CHECK(strstr(a.e.message, "https_proxy") != NULL);
	char *dead = dead_url(&fd);
	b.opts.http_proxy = dead;
	attempt_run(&b, &s, (const char *const[]){ "/ok/data.bin", NULL });
	CHECK(!b.ok && strstr(b.e.message, "proxy cannot be reached") != NULL);
	free(dead);
	close(fd);
	attempt_fini(&a);
	attempt_fini(&b);
	server_stop(&s);
}

TEST(fetch_uses_a_proxy_and_says_when_it_wants_a_password)
{
	struct server s = { 0 }, closed = { 0 };
	struct attempt a = { 0 }, b = { 0 }, c = { 0 };
	if (!server_start(&s, NULL))
		return;
	a.opts.http_proxy = s.url;
	attempt_run(&a, &s, (const char *const[]){ "http://host.invalid/ok/data.bin", NULL });
	CHECK(a.ok && attempt_has_data(&a, &s));
	if (server_start(&closed, (const char *const[]){ "--proxy", "407", NULL })) {
		b.opts.http_proxy = c.opts.https_proxy = closed.url;
		attempt_run(&b, &s, (const char *const[]){ "http://host.invalid/x", NULL });
		CHECK(strstr(b.e.message, "proxy wants a password (407)") != NULL);
		attempt_run(&c, &s, (const char *const[]){ "https://host.invalid/x", NULL });
		CHECK(strstr(c.e.message, "proxy wants a password (407)") != NULL);
		server_stop(&closed);
	}
	attempt_fini(&a);
	attempt_fini(&b);
	attempt_fini(&c);
	server_stop(&s);
}

static bool stop_at_once(void *ctx)
{
	struct attempt *a = ctx;
	return strstr(buf_str(&a->events), "BEGIN") != NULL;
}

TEST(fetch_stops_when_told_and_leaves_a_resumable_part)
{
	struct server s = { 0 };
	struct attempt a = { 0 };
	if (!server_start(&s, NULL))
		return;
	a.opts.should_stop = stop_at_once;
	attempt_run(&a, &s, (const char *const[]){ "/stall/150000/data.bin", NULL });
	CHECK(!a.ok && a.e.code == ERR_INTERRUPTED);
	a.opts.should_stop = NULL;
	a.e = ERR_INIT;
	attempt_run(&a, &s, (const char *const[]){ "/ok/data.bin", NULL });
	CHECK(a.ok && attempt_has_data(&a, &s));
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_keeps_to_its_budget)
{
	struct server s = { 0 };
	struct attempt a = { .opts = { .budget_s = 1, .stall_s = 50 } };
	if (!server_start(&s, NULL))
		return;
	attempt_run(&a, &s, (const char *const[]){ "/silent/data.bin", NULL });
	CHECK(!a.ok && a.e.code == ERR_SOURCE);
	CHECK(strstr(a.e.message, "the time for all downloads is used up") != NULL);
	attempt_fini(&a);
	server_stop(&s);
}

TEST(fetch_asks_mirrors_first_in_their_layout)
{
	struct server s = { 0 };
	struct attempt a = { 0 }, b = { 0 };
	struct err e = ERR_INIT;
	if (!server_start(&s, NULL))
		return;
	char *base = xasprintf("%s/ok/mirror/", s.url), *flat = xasprintf("%s/ok", s.url);
	char *dir = xasprintf("%s/root/mirror/distfiles", s.dir);
	char *conf = xasprintf("%s/layout.conf", dir);
	const char *const first[] = { base }, *const second[] = { flat };
	static const char text[] = "[structure]\n0=filename-hash BLAKE2B 8\n";
	CHECK_OK(fs_mkdirs(AT_FDCWD, dir, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, conf, text, strlen(text), 0644, &e), e);
	a.opts.mirrors = first;
	b.opts.mirrors = second;
	a.opts.n_mirrors = b.opts.n_mirrors = 1;
	attempt_run(&a, &s, (const char *const[]){ "/ok/data.bin", NULL });
	char *log = server_log(&s);
	/* 32 is how the BLAKE2B of "data.bin" begins. */
	CHECK(a.ok && strstr(log, "/ok/mirror/distfiles/32/data.bin") != NULL);
	attempt_run(&b, &s, (const char *const[]){ "/404/data.bin", NULL });
	CHECK(b.ok && attempt_has_data(&b, &s));
	free(log);
	free(conf);
	free(dir);
	free(base);
	free(flat);
	attempt_fini(&a);
	attempt_fini(&b);
	server_stop(&s);
}
