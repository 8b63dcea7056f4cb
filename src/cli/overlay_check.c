#include "overlay.h"

#include "engine.h"
#include "fs.h"
#include "repo_check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* The repositories of a check. Empty value: all zero. */
struct checking {
	const char *eprefix; /* NULL: there is no prefix */
	struct strv dirs; /* physical paths: operands, then masters that were found */
	size_t n_operands;
	struct overlays conf; /* for its arena: nothing is read */
	struct engine g; /* without a configuration: nothing is masked here */
};

struct check_tally {
	size_t repos, found;
};

static bool open_set(struct checking *k, struct err *e)
{
	struct buf text = BUF_INIT;
	engine_close(&k->g);
	for (size_t i = 0; i < k->dirs.n; i++)
		buf_printf(&text, "[%s]\nlocation = %s\n", overlays_name_of(&k->conf, k->dirs.v[i]),
			k->dirs.v[i]);
	bool ok = engine_open_repos(
		&k->g, k->eprefix != NULL ? k->eprefix : "/nonexistent", buf_str(&text), e);
	if (ok)
		k->g.repos->read_only = true;
	buf_fini(&text);
	return ok;
}

/* A master as a directory beside the repository, else in the prefix; NULL: neither. */
static char *find_master(const struct checking *k, const struct repo *r, struct str name)
{
	char *dir = path_dir(r->path);
	char *path = xasprintf("%s/%.*s", dir, STR_ARG(name));
	free(dir);
	if (!fs_is_dir(AT_FDCWD, path) && k->eprefix != NULL) {
		free(path);
		path = xasprintf("%s/var/db/repos/%.*s", k->eprefix, STR_ARG(name));
	}
	if (fs_is_dir(AT_FDCWD, path) && !strv_has(&k->dirs, path))
		return path;
	free(path);
	return NULL;
}

/* Add the directories of masters that are not open yet; false when there are none to add. */
static bool add_masters(struct checking *k, const struct repo *r)
{
	bool any = false;
	for (size_t m = 0; m < r->n_master_names; m++) {
		bool known = repo_find(k->g.repos, r->master_names[m]) != NULL;
		char *path = known ? NULL : find_master(k, r, r->master_names[m]);
		any = any || path != NULL;
		if (path != NULL)
			strv_own(&k->dirs, path);
	}
	return any;
}

/* Open the operands, then again with their masters, until none is new. */
static bool open_with_masters(struct checking *k, struct err *e)
{
	bool again = true;
	while (again) {
		if (!open_set(k, e))
			return false;
		again = false;
		for (size_t i = 0; i < k->g.repos->list.n; i++)
			again = add_masters(k, k->g.repos->list.v[i]) || again;
	}
	return true;
}

static void print_json(const struct repo *r, const struct repo_report *report, bool first)
{
	struct buf out = BUF_INIT;
	buf_adds(&out, first ? "{\"repository\":" : ",\n{\"repository\":");
	buf_json(&out, str_of(r->name));
	buf_printf(&out, ",\"packages\":%zu,\"findings\":[", report->packages);
	for (size_t i = 0; i < report->list.n; i++) {
		const struct repo_flaw *x = &report->list.v[i];
		buf_printf(&out, "%s{\"kind\":\"%s\",\"place\":", i > 0 ? "," : "",
			repo_flaw_name(x->kind));
		buf_json(&out, str_of(x->place));
		buf_adds(&out, ",\"text\":");
		buf_json(&out, str_of(x->text));
		buf_adds(&out, "}");
	}
	buf_adds(&out, "]}");
	fputs(buf_str(&out), stdout);
	buf_fini(&out);
}

static bool check_one(struct cli *c, struct checking *k, const struct repo *r,
	struct check_tally *t, struct err *e)
{
	struct repo_report report = { 0 };
	bool ok = repo_check(k->g.repos, r, &report, e);
	for (size_t i = 0; ok && !c->json && i < report.list.n; i++)
		printf("%s: %s: %s: %s\n", r->name, report.list.v[i].place,
			repo_flaw_name(report.list.v[i].kind), report.list.v[i].text);
	if (ok && c->json)
		print_json(r, &report, t->repos == 0);
	if (ok && !c->json && c->verbose > 0 && report.list.n == 0)
		printf("%s: %zu package versions, nothing is wrong\n", r->name, report.packages);
	t->found += report.list.n;
	t->repos++;
	repo_report_fini(&report);
	return ok;
}

static bool check_all(struct cli *c, struct checking *k, struct check_tally *t, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; i < k->g.repos->warnings.n; i++)
		cli_warn("%s", k->g.repos->warnings.v[i]);
	if (c->json)
		putchar('[');
	for (size_t i = 0; ok && i < k->g.repos->list.n; i++) {
		bool asked = false;
		for (size_t d = 0; d < k->n_operands; d++)
			asked = asked || strcmp(k->dirs.v[d], k->g.repos->list.v[i]->path) == 0;
		if (asked)
			ok = check_one(c, k, k->g.repos->list.v[i], t, e);
	}
	if (c->json)
		puts("]");
	return ok;
}

bool overlay_check(struct cli *c, char **dirs, size_t n_dirs, size_t *n, struct err *e)
{
	struct checking k = { 0 };
	struct check_tally t = { 0 };
	struct err none = ERR_INIT; /* directories can be checked without a prefix */
	k.eprefix = cli_prefix(c, &none);
	for (size_t i = 0; i < n_dirs; i++) {
		if (!strv_has(&k.dirs, dirs[i]))
			strv_push(&k.dirs, dirs[i]);
	}
	k.n_operands = k.dirs.n;
	bool ok = open_with_masters(&k, e) && check_all(c, &k, &t, e);
	*n = t.found;
	engine_close(&k.g);
	overlays_fini(&k.conf);
	strv_fini(&k.dirs);
	return ok;
}
