#include "hostcheck_int.h"

#include "fs.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME ".eprefix-probe."
#define LEFTOVER_S 3600 /* what an interrupted check left behind is older than this */

static void sweep(const char *dir)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	struct stat st;
	fs_list(AT_FDCWD, dir, &names, &ignored);
	for (size_t i = 0; i < names.n; i++) {
		if (!str_starts(str_of(names.v[i]), NAME))
			continue;
		char *path = path_join(dir, names.v[i]);
		if (lstat(path, &st) == 0 && time(NULL) - st.st_mtime > LEFTOVER_S)
			fs_remove_tree(AT_FDCWD, path, &ignored);
		free(path);
	}
	strv_fini(&names);
}

/* A new directory in dir as the caller's own string, NULL with errno set. */
static char *make_in(const char *dir)
{
	char *path = xasprintf("%s/" NAME "XXXXXX", strcmp(dir, "/") == 0 ? "" : dir);
	if (mkdtemp(path) != NULL)
		return path;
	free(path);
	return NULL;
}

static bool programs_run(const struct hostcheck_opts *o, const char *dir, bool *runs, struct err *e)
{
	struct trial t;
	bool ok = trial_script(o, dir, STR("#!/bin/sh\nexit 7\n"), &t, e);
	*runs = ok && t.status == 7;
	trial_fini(&t);
	return ok;
}

bool scratch_for_programs(const struct hostcheck_opts *o, struct scratch *s, struct err *e)
{
	const char *tmp = hostcheck_env(o, "TMPDIR");
	const char *const dirs[] = { tmp != NULL && tmp[0] == '/' ? tmp : "/tmp", "/tmp",
		"/var/tmp", "/dev/shm" };
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs && s->exec == NULL; i++) {
		struct err ignored = ERR_INIT;
		bool runs = false;
		char *dir = make_in(dirs[i]);
		if (dir == NULL)
			continue;
		bool ok = programs_run(o, dir, &runs, e);
		if (runs) {
			s->exec = dir;
			break;
		}
		fs_remove_tree(AT_FDCWD, dir, &ignored);
		free(dir);
		if (!ok)
			return false;
	}
	return true;
}

bool scratch_in_target(struct hostcheck *h, struct scratch *s)
{
	char *dir = nearest_existing(h->eprefix);
	sweep(dir);
	s->target = make_in(dir);
	if (s->target == NULL && errno == ENOSPC)
		finding_add(h, SEVERITY_ERROR, "fs.full",
			"make room, or choose another file system", "the file system of %s is full",
			dir);
	else if (s->target == NULL)
		finding_add(h, SEVERITY_ERROR, "path.not-writable",
			"choose a directory that you may write to, such as $HOME/gentoo",
			"nothing can be made in %s: %s", dir, strerror(errno));
	free(dir);
	return s->target != NULL;
}

void scratch_remove(struct scratch *s)
{
	struct err ignored = ERR_INIT;
	if (s->target != NULL)
		fs_remove_tree(AT_FDCWD, s->target, &ignored);
	if (s->exec != NULL)
		fs_remove_tree(AT_FDCWD, s->exec, &ignored);
	free(s->target);
	free(s->exec);
	*s = SCRATCH_NONE;
}

/* Does a #! line with an interpreter path of n bytes work? */
static bool try_length(
	const struct hostcheck_opts *o, const char *dir, size_t n, bool *works, struct err *e)
{
	struct buf b = BUF_INIT;
	struct trial t;
	buf_adds(&b, "#!");
	/* "////bin/sh": the same file by a name of any length. */
	for (size_t i = strlen("/bin/sh"); i < n; i++)
		buf_addc(&b, '/');
	buf_adds(&b, "/bin/sh\nexit 7\n");
	bool ok = trial_script(o, dir, str_of(buf_str(&b)), &t, e);
	*works = ok && t.status == 7;
	trial_fini(&t);
	buf_fini(&b);
	return ok;
}

bool shebang_limit(const struct hostcheck_opts *o, const char *dir, size_t *limit, struct err *e)
{
	/* 253 since Linux 5.1, 125 before; 509 on macOS: tried first, then searched for. */
	static const size_t likely[] = { 253, 125, 509 };
	size_t low = 0, high = 4096;
	for (size_t i = 0; i < 2 * sizeof likely / sizeof *likely && high - low > 1; i++) {
		size_t n = likely[i / 2] + i % 2;
		bool works;
		if (n <= low || n >= high)
			continue;
		if (!try_length(o, dir, n, &works, e))
			return false;
		*(works ? &low : &high) = n;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		bool works;
		if (!try_length(o, dir, middle, &works, e))
			return false;
		*(works ? &low : &high) = middle;
	}
	*limit = low;
	return true;
}
