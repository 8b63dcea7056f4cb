#include "fetch_server.h"

#include "digest.h"
#include "fs.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *script_path(void)
{
	const char *slash = strrchr(__FILE__, '/');
	return xasprintf("%.*s/../server/server.py", slash != NULL ? (int)(slash - __FILE__) : 1,
		slash != NULL ? __FILE__ : ".");
}

static void make_data(const char *root)
{
	char *data = xmalloc(DATA_BYTES), *path = xasprintf("%s/data.bin", root);
	struct err e = ERR_INIT;
	unsigned x = 1;
	for (size_t i = 0; i < DATA_BYTES; i++) {
		x = x * 1103515245u + 12345u;
		data[i] = (char)(x >> 16);
	}
	CHECK_OK(fs_mkdirs(AT_FDCWD, root, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, path, data, DATA_BYTES, 0644, &e), e);
	free(path);
	free(data);
}

static void run_server(const struct server *s, const char *const *args)
{
	const char *argv[32] = { "python3", script_path(), "--root", xasprintf("%s/root", s->dir),
		"--log", xasprintf("%s/log", s->dir), "--port-file", xasprintf("%s/port", s->dir) };
	size_t n = 8;
	for (; args != NULL && *args != NULL && n < 31; args++)
		argv[n++] = *args;
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

/* The port, once the server has written it; NULL when it ended before. */
static char *wait_for_port(const struct server *s)
{
	struct buf text = BUF_INIT;
	char *path = xasprintf("%s/port", s->dir), *port = NULL;
	while (port == NULL && waitpid((pid_t)s->pid, NULL, WNOHANG) == 0) {
		struct err ignored = ERR_INIT;
		buf_clear(&text);
		if (fs_read(AT_FDCWD, path, &text, &ignored))
			port = xstrndup(text.p, strcspn(text.p, "\n"));
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	}
	free(path);
	buf_fini(&text);
	return port;
}

static bool has_option(const char *const *args, const char *option)
{
	for (; args != NULL && *args != NULL; args++) {
		if (strcmp(*args, option) == 0)
			return true;
	}
	return false;
}

/* Nothing of the environment that the tests run in may reach them. */
static void clear_environment(void)
{
	static const char *const names[] = { "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"REQUESTS_CA_BUNDLE", "NIX_SSL_CERT_FILE", "http_proxy", "https_proxy",
		"HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
}

bool server_start(struct server *s, const char *const *args)
{
	clear_environment();
	s->dir = xstrdup(test_dir());
	char *root = xasprintf("%s/root", s->dir);
	make_data(root);
	free(root);
	pid_t pid = fork();
	if (pid == 0)
		run_server(s, args);
	s->pid = pid;
	char *port = pid > 0 ? wait_for_port(s) : NULL;
	s->url = xasprintf("%s://127.0.0.1:%s", has_option(args, "--tls") ? "https" : "http",
		port != NULL ? port : "0");
	bool ok = port != NULL;
	free(port);
	if (ok)
		return true;
	test_skip("python3 cannot run tests/server/server.py");
	s->pid = 0;
	server_stop(s);
	return false;
}

void server_stop(struct server *s)
{
	if (s->pid > 0) {
		kill((pid_t)s->pid, SIGKILL);
		waitpid((pid_t)s->pid, NULL, 0);
	}
	free(s->dir);
	free(s->url);
	*s = (struct server){ 0 };
}

char *server_log(const struct server *s)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	char *path = xasprintf("%s/log", s->dir);
	fs_read(AT_FDCWD, path, &text, &ignored);
	free(path);
	return buf_take(&text);
}

unsigned count_of(const char *s, const char *text)
{
	unsigned n = 0;
	for (s = strstr(s, text); s != NULL; s = strstr(s + strlen(text), text))
		n++;
	return n;
}

static void on_event(void *ctx, const struct fetch_event *event)
{
	static const char *const names[] = { "BEGIN", "PROGRESS", "RETRY", "MISS", "DONE",
		"FAILED" };
	struct attempt *a = ctx;
	if (event->kind == FETCH_PROGRESS)
		return;
	buf_printf(&a->events, "%s %s%s%s\n", names[event->kind],
		event->uri != NULL ? event->uri : "", event->message != NULL ? ": " : "",
		event->message != NULL ? event->message : "");
}

void attempt_run(struct attempt *a, const struct server *s, const char *const *paths)
{
	char blake2b[DIGEST_HEX_MAX] = "", sha512[DIGEST_HEX_MAX] = "";
	char *data = xasprintf("%s/root/data.bin", s->dir);
	struct strv uris = STRV_INIT;
	CHECK_OK(digest_file(AT_FDCWD, data, DIGEST_BLAKE2B, blake2b, &a->e), a->e);
	CHECK_OK(digest_file(AT_FDCWD, data, DIGEST_SHA512, sha512, &a->e), a->e);
	if (a->wrong_digests)
		blake2b[0] = blake2b[0] == '0' ? '1' : '0';
	for (; *paths != NULL; paths++)
		strv_own(&uris, xasprintf("%s%s", (*paths)[0] == '/' ? s->url : "", *paths));
	struct fetch_file file = { .name = "data.bin",
		.size = DATA_BYTES,
		.blake2b = blake2b,
		.sha512 = sha512,
		.uris = (const char *const *)uris.v,
		.n_uris = uris.n };
	struct fetch_job job = { .owner = "cat/pkg-1", .alternatives = &file, .n_alternatives = 1 };
	if (a->distdir == NULL)
		a->distdir = xstrdup(test_dir());
	a->opts.distdir = a->distdir;
	a->opts.backoff_ms = a->opts.backoff_ms > 0 ? a->opts.backoff_ms : 1;
	a->opts.event = on_event;
	a->opts.ctx = a;
	a->ok = fetch_all(&a->opts, &job, 1, &a->e);
	strv_fini(&uris);
	free(data);
}

void attempt_fini(struct attempt *a)
{
	free(a->distdir);
	buf_fini(&a->events);
	*a = (struct attempt){ 0 };
}

bool attempt_has_data(const struct attempt *a, const struct server *s)
{
	struct buf got = BUF_INIT, want = BUF_INIT;
	struct err e = ERR_INIT;
	char *here = xasprintf("%s/data.bin", a->distdir);
	char *there = xasprintf("%s/root/data.bin", s->dir);
	bool same = fs_read(AT_FDCWD, here, &got, &e) && fs_read(AT_FDCWD, there, &want, &e) &&
		    str_eq((struct str){ got.p, got.n }, (struct str){ want.p, want.n });
	free(here);
	free(there);
	buf_fini(&got);
	buf_fini(&want);
	return same;
}
