#include "overlay.h"

#include "fs.h"
#include "proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* git finds its configuration, proxy and ssh keys as usual, but asks nobody. */
static void git_environment(struct strv *env)
{
	static const char *const kept[] = { "PATH", "HOME", "http_proxy", "https_proxy",
		"HTTPS_PROXY", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "SSH_AUTH_SOCK",
		"SSL_CERT_FILE", "GIT_SSL_CAINFO" };
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		const char *value = getenv(kept[i]);
		if (value != NULL)
			strv_own(env, xasprintf("%s=%s", kept[i], value));
	}
	strv_push(env, "GIT_TERMINAL_PROMPT=0");
	strv_push(env, "GIT_SSH_COMMAND=ssh -oBatchMode=yes");
	strv_push(env, "LC_ALL=C");
}

static bool run_git(const char *const *argv, const char *what, struct err *e)
{
	struct strv env = STRV_INIT;
	struct proc_result result = PROC_RESULT_INIT;
	struct buf out = BUF_INIT;
	git_environment(&env);
	vec_push(&env, NULL);
	struct proc_spec spec = { .argv = argv, .env = (const char *const *)env.v, .log_fd = -1 };
	spec.out = &out;
	spec.tail_lines = 10;
	env.n--;
	bool ok = proc_run(&spec, &result, e);
	if (ok && result.status != 0)
		ok = err_set(e, ERR_SOURCE, "overlay.git", "%s failed (git's status %d): %s", what,
			result.status, buf_str(&result.tail));
	proc_result_fini(&result);
	buf_fini(&out);
	strv_fini(&env);
	return ok;
}

bool overlay_git(const char *uri, const char *path, struct err *e)
{
	const char *const clone[] = { "git", "clone", "--quiet", "--depth=1", "--", uri, path,
		NULL };
	const char *const pull[] = { "git", "-C", path, "pull", "--quiet", "--ff-only", NULL };
	const char *list = getenv("PATH");
	char *git = proc_which("git", list != NULL ? list : "/usr/bin:/bin");
	char *dir = path_dir(path);
	bool there = fs_exists(AT_FDCWD, path);
	char *what = there ? xasprintf("updating %s", path) : xasprintf("cloning %s", uri);
	bool ok = git != NULL || err_set(e, ERR_HOST, "overlay.git",
					 "%s needs git, which is not on PATH; install it, or "
					 "copy the repository to %s",
					 what, path);
	ok = ok && fs_mkdirs(AT_FDCWD, dir, 0755, e) && run_git(there ? pull : clone, what, e);
	free(what);
	free(dir);
	free(git);
	return ok;
}

static bool sync_one(struct cli *c, const struct overlay *x, bool named, struct err *e)
{
	if (x->sync_uri.n == 0) {
		if (named && !c->quiet)
			printf("%.*s: nothing to do, its location %s has no sync-uri\n",
				STR_ARG(x->name), x->path);
		return true;
	}
	if (!str_is(x->sync_type, "git"))
		return err_set(e, ERR_USAGE, "overlay.sync_type",
			"%s: [%.*s]: sync-type '%.*s' is not known here; git is, or copy the "
			"repository to %s",
			x->file, STR_ARG(x->name), STR_ARG(x->sync_type), x->path);
	char *uri = xstrndup(x->sync_uri.p, x->sync_uri.n);
	bool ok = overlay_git(uri, x->path, e);
	free(uri);
	if (ok && !c->quiet)
		printf("%.*s: up to date in %s\n", STR_ARG(x->name), x->path);
	return ok;
}

bool overlay_sync(struct cli *c, int argc, char **argv, struct err *e)
{
	struct overlays o = { 0 };
	const char *eprefix = cli_prefix(c, e);
	bool ok = eprefix != NULL && overlays_read(&o, eprefix, e);
	for (int i = 0; ok && i < argc; i++) {
		const struct overlay *x = overlays_find(&o, argv[i]);
		ok = x != NULL ? sync_one(c, x, true, e)
			       : err_set(e, ERR_USAGE, "overlay.name",
					 "no repository is called %s; `eprefix overlay list` shows "
					 "what there is",
					 argv[i]);
	}
	for (size_t i = 0; ok && argc == 0 && i < o.list.n; i++)
		ok = sync_one(c, &o.list.v[i], false, e);
	overlays_fini(&o);
	return ok;
}
