/* A package's Manifest and files/ against what its recipes name. */
#include "repo_check_int.h"

#include "fs.h"
#include "manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All versions of one name in one repository. */
struct unit {
	struct checker *c;
	const char *dir; /* "cat/pn" */
	struct pkg *const *v;
	size_t n;
	int fd; /* of dir */
	struct strv sources; /* file names of all versions */
	struct buf text; /* all recipes, with the names of their version put in, and libraries */
};

static void add_source(struct unit *u, const struct pkg *p, struct str name, struct manifest *m)
{
	char *file = xstrndup(name.p, name.n);
	const struct manifest_entry *entry = manifest_find(m, MANIFEST_DIST, file);
	if (entry == NULL)
		check_add(u->c, RFLAW_SOURCE, check_cpv(u->c, p),
			"%s/Manifest has no DIST line for %s, so that it is never fetched", u->dir,
			file);
	if (strv_has(&u->sources, file))
		free(file);
	else
		strv_own(&u->sources, file);
}

/* The file of a URI: behind "->", or the last part of the URI. */
static void walk_sources(
	struct unit *u, const struct pkg *p, const struct dep *d, struct manifest *m)
{
	for (; d != NULL; d = d->next) {
		walk_sources(u, p, d->child, m);
		if (d->kind != DEP_WORD)
			continue;
		if (d->next != NULL && d->next->kind == DEP_ARROW && d->next->next != NULL)
			d = d->next->next;
		struct str rest = d->text, name = rest;
		while (str_split(&rest, '/', &name))
			;
		add_source(u, p, name, m);
	}
}

/* Hash names we know must have their length: a cut-off line is no checksum. */
static void check_hashes(struct unit *u, const char *path, const struct manifest_entry *entry)
{
	bool known = false;
	for (size_t i = 0; i < entry->n_hashes; i++) {
		const struct manifest_hash *h = &entry->hashes[i];
		if (strcmp(h->name, "BLAKE2B") != 0 && strcmp(h->name, "SHA512") != 0)
			continue;
		known = true;
		if (strlen(h->hex) != 128)
			check_add(u->c, RFLAW_CHECKSUM, path, "%s of %s has %zu digits, not 128",
				h->name, entry->name, strlen(h->hex));
	}
	if (!known)
		check_add(u->c, RFLAW_CHECKSUM, path, "%s has neither BLAKE2B nor SHA512",
			entry->name);
}

static void check_entries(struct unit *u, const char *path, const struct manifest *m)
{
	for (size_t i = 0; i < m->v.n; i++) {
		const struct manifest_entry *entry = &m->v.v[i];
		check_hashes(u, path, entry);
		if (entry->tag == MANIFEST_DIST && !strv_has(&u->sources, entry->name))
			check_add(u->c, RFLAW_UNUSED, path,
				"no recipe has the source %s; remove its DIST line", entry->name);
	}
}

static bool read_manifest(struct unit *u, const char *path, struct manifest *m, struct err *e)
{
	struct buf text = BUF_INIT;
	bool ok = fs_read(u->fd, "Manifest", &text, e);
	if (!ok && e->sys == ENOENT) {
		*e = ERR_INIT;
		ok = true;
	}
	struct err bad = ERR_INIT;
	if (ok && !manifest_parse(m, (struct str){ text.p, text.n }, path, &bad))
		check_add(u->c, RFLAW_CHECKSUM, path, "%s", bad.message);
	buf_fini(&text);
	return ok;
}

static bool check_manifest(struct unit *u, struct err *e)
{
	struct manifest m = { 0 };
	struct strv report = STRV_INIT;
	size_t before = u->c->report->list.n;
	const char *path = arena_printf(&u->c->report->arena, "%s/Manifest", u->dir);
	bool ok = read_manifest(u, path, &m, e);
	/* Behind a line that does not parse nothing was read. */
	bool whole = u->c->report->list.n == before;
	for (size_t i = 0; ok && whole && i < u->n; i++) {
		struct err ignored = ERR_INIT; /* check_metadata told of it */
		const struct dep *d;
		struct dep_parse how = { .syntax = DEP_OF_URIS, .eapi = u->v[i]->eapi };
		if (dep_parse(&u->c->report->arena, u->v[i]->meta[PKG_SRC_URI], &how, &d, &ignored))
			walk_sources(u, u->v[i], d, &m);
	}
	if (ok && whole)
		check_entries(u, path, &m);
	ok = ok && (!whole || manifest_verify_package(&m, u->fd, &report, e));
	for (size_t i = 0; i < report.n; i++)
		check_add(u->c, RFLAW_CHECKSUM, path, "%s", report.v[i]);
	strv_fini(&report);
	manifest_fini(&m);
	return ok;
}

/* Append text with $PV, $P and $PN of the version put in. */
static void add_expanded(struct buf *out, struct str text, const struct pkg *p)
{
	const struct {
		const char *name;
		struct str value;
	} names[] = { { "$PVR", p->version }, { "$PV", p->version }, { "$PN", p->pn },
		{ "$PF", p->pf }, { "$P", p->pf } };
	while (text.n > 0) {
		size_t i = 0;
		while (i < 5 && !str_starts(text, names[i].name))
			i++;
		size_t skip = i < 5 ? strlen(names[i].name) : 1;
		if (i < 5)
			buf_add_str(out, names[i].value);
		else
			buf_addc(out, text.p[0]);
		text = (struct str){ text.p + skip, text.n - skip };
	}
}

static bool read_recipes(struct unit *u, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < u->n; i++) {
		struct buf text = BUF_INIT;
		char *name = xasprintf("%.*s.%s", STR_ARG(u->v[i]->pf),
			u->v[i]->kind == PKG_RECIPE ? "lua" : "ebuild");
		ok = fs_read(u->fd, name, &text, e);
		add_expanded(&u->text, (struct str){ text.p, text.n }, u->v[i]);
		buf_fini(&text);
		free(name);
	}
	return ok;
}

/* Does a recipe name the file, or a directory above it? */
static bool is_named(const struct unit *u, const char *path)
{
	char *part = xstrdup(path), *slash;
	bool named = strstr(buf_str(&u->text), part) != NULL ||
		     strstr(buf_str(&u->text), path_base(part)) != NULL;
	while (!named && (slash = strrchr(part, '/')) != NULL) {
		*slash = '\0';
		named = strstr(buf_str(&u->text), part) != NULL;
	}
	free(part);
	return named;
}

static bool check_file(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct unit *u = ctx;
	(void)e;
	if (!S_ISDIR(entry->st.st_mode) && !is_named(u, entry->path))
		check_add(u->c, RFLAW_UNUSED,
			arena_printf(&u->c->report->arena, "%s/files/%s", u->dir, entry->path),
			"no recipe of the package names this file");
	return true;
}

bool check_files(struct checker *c, struct pkg *const *versions, size_t n, struct err *e)
{
	struct unit u = { .c = c, .v = versions, .n = n, .fd = -1 };
	u.dir = arena_printf(&c->report->arena, "%.*s", STR_ARG(versions[0]->cp));
	bool ok = fs_open_dir(c->repo->fd, u.dir, &u.fd, e) && check_manifest(&u, e) &&
		  read_recipes(&u, e);
	if (ok && fs_is_dir(u.fd, "files"))
		ok = fs_walk(u.fd, "files", check_file, &u, e);
	if (u.fd >= 0)
		close(u.fd);
	buf_fini(&u.text);
	strv_fini(&u.sources);
	return ok;
}
