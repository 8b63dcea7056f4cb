#include "verify.h"

#include "atom.h"
#include "commands.h"
#include "fs.h"
#include "leak.h"
#include "machine.h"
#include "pkg.h"
#include "version.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHOWN_PER_KIND 10

static void print_group(const struct flaws *f, size_t start, size_t n, size_t shown)
{
	printf("%zu %s:\n", n, flaw_title(f->list.v[start].kind));
	for (size_t i = start; i < start + n && i < start + shown; i++) {
		const struct flaw *one = &f->list.v[i];
		printf("  %s%s%s\n", one->path, one->detail[0] != '\0' ? ": " : "", one->detail);
	}
	if (n > shown)
		printf("  and %zu more; --verbose shows all\n", n - shown);
}

static void print_findings(const struct cli *c, const struct flaws *f)
{
	size_t shown = c->verbose > 0 ? f->list.n : SHOWN_PER_KIND;
	for (size_t i = 0, n; i < f->list.n; i += n) {
		for (n = 1; i + n < f->list.n && f->list.v[i + n].kind == f->list.v[i].kind; n++)
			;
		print_group(f, i, n, shown);
	}
}

static void print_json(const struct verify_opts *o, const struct verify_result *r)
{
	struct buf out = BUF_INIT;
	buf_adds(&out, "{\"prefix\":");
	buf_json(&out, str_of(o->eprefix));
	buf_printf(&out,
		",\"libc\":\"%s\",\"packages\":%zu,\"files\":%zu,\"symlinks\":%zu,\"bytes\":%llu,"
		"\"tools\":%zu,\"findings\":[",
		o->guest ? "host" : "prefix", r->packages, r->files, r->symlinks,
		(unsigned long long)r->bytes, r->tools);
	for (size_t i = 0; i < r->found.list.n; i++) {
		const struct flaw *one = &r->found.list.v[i];
		buf_printf(&out, "%s{\"kind\":\"%s\",\"path\":", i > 0 ? "," : "",
			flaw_name(one->kind));
		buf_json(&out, str_of(one->path));
		buf_adds(&out, ",\"detail\":");
		buf_json(&out, str_of(one->detail));
		buf_adds(&out, "}");
	}
	buf_adds(&out, "]}\n");
	fwrite(out.p, 1, out.n, stdout);
	buf_fini(&out);
}

static void print_summary(const struct verify_opts *o, const struct verify_result *r)
{
	printf("verified %zu packages: %zu files (%.1f MB) and %zu symlinks are as recorded, none "
	       "refers to %s",
		r->packages, r->files, (double)r->bytes / 1e6, r->symlinks,
		o->guest ? "more of the host than a guest may" : "the host");
	if (o->packages == NULL)
		printf("; %zu search paths of compiler and linker lie in the prefix, nothing is "
		       "unowned",
			r->tools);
	putchar('\n');
}

/* Verify and print what was found; false with "verify.findings" when there is anything. */
static bool report(
	const struct cli *c, const struct verify_opts *o, struct verify_result *r, struct err *e)
{
	if (!verify_run(o, r, e))
		return false;
	if (c->json)
		print_json(o, r);
	else
		print_findings(c, &r->found);
	if (r->found.list.n > 0)
		return err_set(e, ERR_FAILED, "verify.findings",
			"verify: %zu findings in %s; `eprefix query owner PATH` names a file's "
			"package, `eprefix emerge -1 PACKAGE` installs it anew",
			r->found.list.n, o->eprefix);
	if (!c->json && !c->quiet)
		print_summary(o, r);
	return true;
}

/* An atom as users type it: the category may be left out. */
static struct atom *parse_atom(struct arena *a, const char *text, struct err *e)
{
	size_t op = strspn(text, "<>=~");
	const char *full = text;
	if (strchr(text, '/') == NULL)
		full = arena_printf(a, "%.*s*/%s", (int)op, text, text + op);
	return atom_parse(a, str_of(full), STR(""), ATOM_USER, e);
}

static bool matches(struct arena *a, const struct atom *atom, const struct vdb_pkg *p)
{
	const char *slot = vdb_slot(p);
	struct pkg pkg = { .cp = str_of(arena_printf(a, "%s/%s", p->category, p->pn)),
		.cat = str_of(p->category),
		.pn = str_of(p->pn),
		.version = str_of(p->pvr),
		.pf = str_of(p->pf),
		.kind = PKG_INSTALLED,
		.slot = str_of(slot),
		.repo_name = str_of(vdb_repo(p)) };
	return atom_match_but_use(atom, &pkg);
}

/* Packages of the database, each at most once. */
struct selection {
	const struct vdb_pkg **list;
	size_t n;
};

static bool has(const struct selection *s, const struct vdb_pkg *p)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i] == p)
			return true;
	return false;
}

static bool select_packages(
	const struct vdb *v, const char *text, struct selection *out, struct err *e)
{
	struct arena arena = ARENA_INIT;
	const struct atom *atom = parse_atom(&arena, text, e);
	bool any = false;
	for (size_t i = 0; atom != NULL && i < vdb_count(v); i++) {
		const struct vdb_pkg *p = vdb_at(v, i);
		bool fits = matches(&arena, atom, p);
		any = any || fits;
		if (fits && !has(out, p))
			out->list[out->n++] = p;
	}
	if (atom != NULL && !any)
		err_set(e, ERR_USAGE, "verify.atom",
			"no installed package matches %s; `eprefix query list` shows what there is",
			text);
	arena_fini(&arena);
	return any;
}

static int print_rules(void)
{
	puts("May be named by what is installed though it is outside the prefix:");
	for (const struct leak_exception *x = leak_exceptions; x->value != NULL; x++)
		printf("  %-12s %-18s %-16s %s%s\n", flaw_name(x->kind), x->path, x->value, x->why,
			x->guest_only ? " (--libc=host only)" : "");
	puts("May lie in the prefix without belonging to a package:");
	for (const struct verify_state *s = verify_states; s->glob != NULL; s++)
		printf("  %-37s %s%s\n", s->glob, s->why,
			s->changes ? "; recorded files may have changed" : "");
	return 0;
}

static bool verify_all(struct cli *c, int argc, char **argv, struct err *e)
{
	struct verify_opts o = {
		.root = -1, .eprefix = cli_prefix(c, e), .threads = machine_cpus()
	};
	struct verify_result r = VERIFY_RESULT_INIT;
	struct selection some = { 0 };
	const char *libc = cli_value(c, "libc", "auto");
	bool ok = o.eprefix != NULL && fs_open_dir(AT_FDCWD, o.eprefix, &o.root, e) &&
		  vdb_open(&o.vdb, o.root, o.eprefix, e);
	if (ok)
		some.list = xcalloc(vdb_count(o.vdb) + 1, sizeof(struct vdb_pkg *));
	for (int i = 0; ok && i < argc; i++)
		ok = select_packages(o.vdb, argv[i], &some, e);
	if (ok && vdb_count(o.vdb) == 0)
		ok = err_set(e, ERR_FAILED, "verify.empty",
			"%s holds no installed package; is it a prefix?", o.eprefix);
	if (ok) {
		o.guest = strcmp(libc, "auto") == 0 ? !verify_has_libc(o.vdb)
						    : strcmp(libc, "host") == 0;
		o.packages = argc > 0 ? some.list : NULL;
		o.n_packages = some.n;
		ok = report(c, &o, &r, e);
	}
	verify_result_fini(&r);
	free((void *)some.list);
	vdb_free(o.vdb);
	if (o.root >= 0)
		close(o.root);
	return ok;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	if (cli_has(c, "rules"))
		return print_rules();
	return verify_all(c, argc, argv, &e) ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 0, "libc", "WHOSE", "whose C library the prefix stands on", "auto|prefix|host" },
	{ 0, "rules", NULL, "show what is excepted, and why", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_verify = {
	.name = "verify",
	.summary = "check installed files against their records, and that none refers to the host",
	.usage = "[ATOM…]",
	.details =
		"Every recorded file must be there with its recorded digest and time. Loaders, "
		"libraries, run paths, script interpreters, symlinks and the paths in .pc, .la and "
		"configuration files must lie in the prefix and not in its tmp. Without an ATOM "
		"also "
		"the search paths of gcc and ld, and nothing may lie in the prefix that belongs to "
		"no "
		"package, but for state and configuration (see --rules).\n\n"
		"Exit status 1 when anything is found.",
	.options = options,
	.min_args = 0,
	.max_args = -1,
	.run = run,
};
