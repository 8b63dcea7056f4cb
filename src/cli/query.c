#include "query.h"

#include "commands.h"
#include "fs.h"
#include "vdb_pkg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct verb {
	const char *name;
	query_verb *run;
	bool packages; /* its operands are packages */
	bool all; /* without an operand: all of them */
	query_verb *available; /* with --available, NULL: of installed packages only */
};

static const struct verb verb_table[] = {
	{ "list", query_list, true, true, query_list_available },
	{ "files", query_files, true, false, NULL },
	{ "owner", query_owner, false, false, NULL },
	{ "depends", query_depends, true, false, query_depends_available },
	{ "rdepends", query_rdepends, true, false, query_rdepends_available },
	{ "uses", query_uses, true, false, query_uses_available },
	{ "meta", query_meta, true, false, query_meta_available },
	{ "check", query_check, true, true, NULL },
	{ "size", query_size, true, true, NULL },
};

void query_cpv(struct buf *out, const struct vdb_pkg *p)
{
	buf_adds(out, p->category);
	buf_addc(out, '/');
	buf_adds(out, p->pf);
}

void query_object(struct query *q, const struct vdb_pkg *p)
{
	struct buf cpv = BUF_INIT;
	query_cpv(&cpv, p);
	buf_adds(&q->out, q->n++ > 0 ? ",\n{" : "{");
	buf_adds(&q->out, "\"cpv\": ");
	buf_json(&q->out, (struct str){ cpv.p, cpv.n });
	buf_fini(&cpv);
}

void query_member(struct query *q, const char *name, const char *value)
{
	buf_printf(&q->out, ", \"%s\": ", name);
	buf_json(&q->out, str_of(value));
}

static bool has(const struct vdb_list *l, const struct vdb_pkg *p)
{
	for (size_t i = 0; i < l->list.n; i++) {
		if (l->list.v[i] == p)
			return true;
	}
	return false;
}

/* Every operand has to match something, and no package comes twice. */
static bool select_one(struct query *q, const char *text, struct err *e)
{
	struct vdb_list found = { 0 };
	bool ok = vdb_select(q->vdb, text, &found, e);
	if (ok && found.list.n == 0)
		ok = err_set(e, ERR_FAILED, "query.none",
			"no installed package matches %s; `eprefix query list` shows what there "
			"is, and with --available what the repositories have",
			text);
	for (size_t i = 0; i < found.list.n; i++) {
		if (!has(&q->packages, found.list.v[i]))
			vec_push(&q->packages.list, found.list.v[i]);
	}
	vec_fini(&found.list);
	return ok;
}

static bool select_packages(struct query *q, const struct verb *v, struct err *e)
{
	bool ok = true;
	if (q->operands[0] == NULL && v->all) {
		for (size_t i = 0; i < vdb_count(q->vdb); i++)
			vec_push(&q->packages.list, vdb_at(q->vdb, i));
	}
	for (char **text = q->operands; ok && *text != NULL; text++)
		ok = select_one(q, *text, e);
	return ok;
}

static bool run_verb(struct query *q, const struct verb *v, struct err *e)
{
	q->prefix = cli_prefix(q->cli, e);
	if (q->prefix == NULL || !fs_open_dir(AT_FDCWD, q->prefix, &q->root, e) ||
		!vdb_open(&q->vdb, q->root, q->prefix, e))
		return false;
	if (cli_has(q->cli, "available"))
		return query_available(q, e) && v->available(q, e);
	return (!v->packages || select_packages(q, v, e)) && v->run(q, e);
}

static bool print(const struct query *q, struct err *e)
{
	const char *form = q->cli->json ? "[%s]\n" : "%s";
	return (printf(form, buf_str(&q->out)) >= 0 && fflush(stdout) == 0) ||
	       err_sys(e, "query.print", "cannot write to standard output");
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof verb_table / sizeof *verb_table; i++) {
		if (strcmp(verb_table[i].name, name) == 0)
			return &verb_table[i];
	}
	return NULL;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct query q = { .cli = c, .root = -1, .operands = argv + 1 };
	const struct verb *v = find_verb(argv[0]);
	if (v == NULL)
		return cli_usage(c, "there is no query \"%s\"", argv[0]);
	if (argc < 2 && !v->all)
		return cli_usage(
			c, "query %s needs %s", v->name, v->packages ? "an ATOM" : "a PATH");
	if (cli_has(c, "available") && v->available == NULL)
		return cli_usage(c, "query %s knows of installed packages only", v->name);
	bool ok = run_verb(&q, v, &e);
	/* What was found is shown even where something else is wrong (check, owner). */
	if (q.out.n > 0 || (q.vdb != NULL && c->json)) {
		struct err unprinted = ERR_INIT;
		if (!print(&q, &unprinted) && ok) {
			e = unprinted;
			ok = false;
		}
	}
	buf_fini(&q.out);
	vec_fini(&q.packages.list);
	vec_fini(&q.available);
	engine_close(&q.engine);
	arena_fini(&q.arena);
	vdb_free(q.vdb);
	if (q.root >= 0)
		close(q.root);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_verb verbs[] = {
	{ "list", "[ATOM…]", "installed packages" },
	{ "files", "ATOM…", "what a package installed" },
	{ "owner", "PATH…", "which package a file or directory belongs to" },
	{ "depends", "ATOM…", "what a package depends on, and what satisfies that" },
	{ "rdepends", "ATOM…", "which installed packages depend on it" },
	{ "uses", "ATOM…", "USE flags it was built with" },
	{ "meta", "ATOM…", "description, home page, licence, slot, repository, times" },
	{ "check", "[ATOM…]", "compare installed files with the record" },
	{ "size", "[ATOM…]", "number and bytes of installed files" },
	{ NULL, NULL, NULL },
};

static const struct cli_option options[] = {
	{ 'a', "available", NULL, "of the packages that the repositories have", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_query = {
	.name = "query",
	.summary = "ask about packages, installed or available",
	.usage = "WHAT [ATOM|PATH]…",
	.details =
		"An ATOM may be a bare name, name-version, or anything that emerge takes. A PATH "
		"without a slash is looked for by its last name everywhere. With --available "
		"list, depends, rdepends, uses and meta speak of the repositories' packages, "
		"installed or not.\n\n"
		"Exit status 1 when nothing matches, or when check finds a difference.",
	.verbs = verbs,
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
