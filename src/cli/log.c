#include "commands.h"

#include "fs.h"
#include "log_tail.h"
#include "place.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LOG_DIR "var/log/portage"

/* One log below LOG_DIR. */
struct log {
	char *path; /* "stage3/sys-devel:gcc-14.2.0.log" */
	struct timespec mtime;
};

struct logs {
	VEC(struct log) v;
	const char *wanted; /* part of the name, NULL: all */
};

static void logs_fini(struct logs *l)
{
	for (size_t i = 0; i < l->v.n; i++)
		free(l->v.v[i].path);
	vec_fini(&l->v);
}

/* Does the log's name fit "gcc", "sys-devel/gcc", "stage3:sys-devel/gcc" or "gcc-14.2.0"? */
static bool fits(const char *path, const char *wanted)
{
	char *name = xstrdup(path);
	char *slash = strchr(name, '/'), *colon = strchr(name, ':');
	if (slash != NULL && colon != NULL && slash < colon) {
		*slash = ':';
		*colon = '/';
	}
	const char *at = name;
	size_t n = strlen(wanted);
	bool found = false;
	while (!found && (at = strstr(at, wanted)) != NULL) {
		bool begins = at == name || at[-1] == ':' || at[-1] == '/';
		bool ends = at[n] == '-' || strcmp(at + n, ".log") == 0;
		found = begins && ends;
		at++;
	}
	free(name);
	return found;
}

static bool collect(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct logs *l = ctx;
	(void)e;
	if (!S_ISREG(entry->st.st_mode) || !str_ends(str_of(entry->path), ".log"))
		return true;
	if (l->wanted == NULL || fits(entry->path, l->wanted))
		vec_push(&l->v, (struct log){ xstrdup(entry->path), place_mtime(&entry->st) });
	return true;
}

static int newest_first(const void *a, const void *b)
{
	const struct log *x = a, *y = b;
	if (x->mtime.tv_sec != y->mtime.tv_sec)
		return x->mtime.tv_sec < y->mtime.tv_sec ? 1 : -1;
	if (x->mtime.tv_nsec != y->mtime.tv_nsec)
		return x->mtime.tv_nsec < y->mtime.tv_nsec ? 1 : -1;
	return strcmp(x->path, y->path);
}

static bool find_logs(const char *prefix, struct logs *l, struct err *e)
{
	char *dir = path_join(prefix, LOG_DIR);
	bool ok = !fs_is_dir(AT_FDCWD, dir) || fs_walk(AT_FDCWD, dir, collect, l, e);
	free(dir);
	if (l->v.n > 0)
		qsort(l->v.v, l->v.n, sizeof *l->v.v, newest_first);
	if (!ok || l->v.n > 0)
		return ok;
	return err_set(e, ERR_FAILED, "log.none", "no log in %s/%s%s%s", prefix, LOG_DIR,
		l->wanted != NULL ? " is one of " : "", l->wanted != NULL ? l->wanted : "");
}

static bool print_tail(const char *path, unsigned lines, struct err *e)
{
	char *tail = log_tail(path, lines, e);
	if (tail != NULL)
		printf("==> %s\n%s", path, tail);
	free(tail);
	return tail != NULL;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct logs l = { .wanted = argc > 0 ? argv[0] : NULL };
	static const unsigned range[2] = { 1, 100000 };
	unsigned lines = 40;
	const char *prefix = cli_prefix(c, &e);
	bool ok = prefix != NULL && cli_number(c, "lines", range, &lines, &e) &&
		  find_logs(prefix, &l, &e);
	for (size_t i = 0; ok && i < l.v.n; i++) {
		char *path = xasprintf("%s/%s/%s", prefix, LOG_DIR, l.v.v[i].path);
		if (l.wanted == NULL || cli_has(c, "list"))
			printf("%s\n", path);
		else if (i == 0)
			ok = print_tail(path, lines, &e);
		free(path);
	}
	logs_fini(&l);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 'l', "list", NULL, "only the names of the logs", NULL },
	{ 'n', "lines", "N", "so many lines of the end (default 40)", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_log = {
	.name = "log",
	.summary = "show the end of a package's newest build log, or list all logs",
	.usage = "[ATOM]",
	.details =
		"ATOM is a package's name, category/name or stage:category/name, with or without "
		"its\nversion. Without it all logs are listed, the newest first.",
	.options = options,
	.max_args = 1,
	.run = run,
};
