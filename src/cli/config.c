/* eprefix config: decide on the updates of configuration files (Portage's etc-update). */
#include "cfgupdate.h"
#include "commands.h"
#include "fs.h"
#include "proc.h"
#include "rootmap.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct config_run {
	struct cli *cli;
	const char *prefix;
	int root;
	struct cfg_updates all;
	VEC(const struct cfg_update *) chosen;
};

static bool list(struct config_run *r, struct err *e)
{
	struct buf out = BUF_INIT;
	(void)e;
	for (size_t i = 0; i < r->chosen.n; i++) {
		const struct cfg_update *u = r->chosen.v[i];
		if (!r->cli->json) {
			buf_printf(&out, "%s/%s <- %s\n", r->prefix, u->path,
				path_base(cfg_newest(u)));
			continue;
		}
		buf_adds(&out, i > 0 ? ",\n{\"path\": " : "{\"path\": ");
		buf_json(&out, str_of(u->path));
		buf_adds(&out, ", \"updates\": [");
		for (size_t k = 0; k < u->updates.n; k++) {
			buf_adds(&out, k > 0 ? ", " : "");
			buf_json(&out, str_of(u->updates.v[k]));
		}
		buf_adds(&out, "]}");
	}
	printf(r->cli->json ? "[%s]\n" : "%s", buf_str(&out));
	if (r->chosen.n == 0 && !r->cli->json && !r->cli->quiet)
		fputs("no configuration file has an update\n", stderr);
	buf_fini(&out);
	return true;
}

/* Print what an update changes, by the diff of the prefix or the host. */
static bool show_one(struct config_run *r, const struct cfg_update *u, struct err *e)
{
	char *paths = xasprintf("%s/usr/bin:%s/bin:/usr/bin:/bin", r->prefix, r->prefix);
	char *diff = proc_which("diff", paths), *env_path = xasprintf("PATH=%s", paths);
	char *old = path_join(r->prefix, u->path), *new = path_join(r->prefix, cfg_newest(u));
	const char *argv[] = { diff, "-uN", "--", old, new, NULL };
	const char *env[] = { env_path, "LC_ALL=C", NULL };
	struct buf out = BUF_INIT;
	struct proc_spec spec = { .argv = argv, .env = env, .log_fd = -1, .out = &out };
	struct proc_result result = PROC_RESULT_INIT;
	bool ok = diff != NULL ||
		  err_set(e, ERR_FAILED, "config.diff",
			  "there is no diff program in %s; merge sys-apps/diffutils, or compare %s "
			  "and %s yourself",
			  paths, old, new);
	ok = ok && proc_run(&spec, &result, e);
	if (ok && result.status > 1)
		ok = err_set(e, ERR_FAILED, "config.diff", "%s ended with status %d: %s", diff,
			result.status, buf_str(&result.tail));
	if (ok)
		fwrite(buf_str(&out), 1, out.n, stdout);
	proc_result_fini(&result);
	buf_fini(&out);
	free(paths);
	free(env_path);
	free(diff);
	free(old);
	free(new);
	return ok;
}

static bool show(struct config_run *r, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < r->chosen.n; i++)
		ok = show_one(r, r->chosen.v[i], e);
	return ok;
}

static bool decide(struct config_run *r, const struct cfg_update *u, bool accept, struct err *e)
{
	bool ok = accept ? cfg_accept(r->root, u, e) : cfg_reject(r->root, u, e);
	if (ok && !r->cli->quiet)
		fprintf(stderr, "%s: %s\n", u->path, accept ? "updated" : "kept as it is");
	return ok;
}

static bool accept(struct config_run *r, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < r->chosen.n; i++)
		ok = decide(r, r->chosen.v[i], true, e);
	return ok;
}

static bool reject(struct config_run *r, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < r->chosen.n; i++)
		ok = decide(r, r->chosen.v[i], false, e);
	return ok;
}

/* One letter of the answer; 'q' at the end of the input. */
static int ask(const char *path)
{
	char line[64];
	fprintf(stderr, "%s: [u]se the new one, [k]eep the old one, [s]kip, [q]uit? ", path);
	fflush(stderr);
	return fgets(line, sizeof line, stdin) != NULL ? line[0] : 'q';
}

static bool merge_one(struct config_run *r, const struct cfg_update *u, bool *go_on, struct err *e)
{
	if (cfg_same(r->root, u))
		return decide(r, u, true, e);
	if (!show_one(r, u, e))
		return false;
	fflush(stdout);
	for (;;) {
		switch (ask(u->path)) {
		case 'u':
			return decide(r, u, true, e);
		case 'k':
			return decide(r, u, false, e);
		case 's':
			return true;
		case 'q':
			*go_on = false;
			return true;
		}
	}
}

static bool merge(struct config_run *r, struct err *e)
{
	bool ok = true, go_on = true;
	for (size_t i = 0; ok && go_on && i < r->chosen.n; i++)
		ok = merge_one(r, r->chosen.v[i], &go_on, e);
	return ok;
}

/* Those whose file was named, by its path in the prefix or as an absolute one; without names all.
 */
static bool choose(struct config_run *r, char **names, struct err *e)
{
	for (size_t i = 0; names[0] == NULL && i < r->all.list.n; i++)
		vec_push(&r->chosen, &r->all.list.v[i]);
	for (; *names != NULL; names++) {
		const char *inside = rootmap_relative(r->prefix, *names);
		const char *path = inside != NULL ? inside : *names + strspn(*names, "/");
		size_t i = 0;
		while (i < r->all.list.n && strcmp(r->all.list.v[i].path, path) != 0)
			i++;
		if (i == r->all.list.n)
			return err_set(e, ERR_FAILED, "config.none",
				"%s has no update that waits; `eprefix config list` shows those "
				"that have",
				*names);
		vec_push(&r->chosen, &r->all.list.v[i]);
	}
	return true;
}

struct verb {
	const char *name;
	bool (*run)(struct config_run *r, struct err *e);
	bool names; /* needs files, or --all */
};

static const struct verb verb_table[] = {
	{ "list", list, false },
	{ "diff", show, false },
	{ "merge", merge, false },
	{ "accept", accept, true },
	{ "reject", reject, true },
};

static bool run_verb(struct config_run *r, const struct verb *v, char **names, struct err *e)
{
	struct protect protect = PROTECT_INIT;
	r->prefix = cli_prefix(r->cli, e);
	bool ok = r->prefix != NULL && fs_open_dir(AT_FDCWD, r->prefix, &r->root, e) &&
		  protect_load(&protect, r->root, r->prefix, e) &&
		  cfg_find(&r->all, r->root, &protect, e) && choose(r, names, e) && v->run(r, e);
	protect_fini(&protect);
	return ok;
}

static int run(struct cli *c, int argc, char **argv)
{
	static char *no_names[] = { NULL };
	struct err e = ERR_INIT;
	struct config_run r = { .cli = c, .root = -1 };
	const struct verb *v = argc > 0 ? NULL : &verb_table[0];
	for (size_t i = 0; argc > 0 && i < sizeof verb_table / sizeof *verb_table; i++) {
		if (strcmp(verb_table[i].name, argv[0]) == 0)
			v = &verb_table[i];
	}
	if (v == NULL)
		return cli_usage(c, "there is no config %s", argv[0]);
	if (v->names && argc < 2 && !cli_has(c, "all"))
		return cli_usage(c, "config %s needs a FILE, or --all", v->name);
	bool ok = run_verb(&r, v, argc > 1 ? argv + 1 : no_names, &e);
	vec_fini(&r.chosen);
	cfg_updates_fini(&r.all);
	if (r.root >= 0)
		close(r.root);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 0, "all", NULL, "accept or reject every update that waits", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

static const struct cli_verb verbs[] = {
	{ "list", "[FILE…]", "files with an update that waits" },
	{ "diff", "[FILE…]", "what the updates would change" },
	{ "merge", "[FILE…]", "show each and ask" },
	{ "accept", "FILE…", "put the newest update in the file's place" },
	{ "reject", "FILE…", "keep the file, remove its updates" },
	{ NULL, NULL, NULL },
};

const struct cli_command cmd_config = {
	.name = "config",
	.summary = "decide on updates of configuration files",
	.usage = "[WHAT [FILE]…]",
	.details = "A package that brings a new version of a protected file (CONFIG_PROTECT) which "
		   "you "
		   "have changed leaves it beside yours as ._cfgNNNN_NAME. An update that was "
		   "rejected is not offered again until its content changes.",
	.options = options,
	.verbs = verbs,
	.min_args = 0,
	.max_args = -1,
	.run = run,
};
