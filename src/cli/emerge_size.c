/* Sizes of downloads in the merge list. */
#include "emerge_show.h"
#include "fs.h"
#include "manifest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

bool emerge_sizes_open(struct emerge_sizes *s, const struct emerge *m, struct err *e)
{
	*s = (struct emerge_sizes){ .m = m };
	return downloads_open(&s->downloads, &m->engine, e);
}

void emerge_sizes_close(struct emerge_sizes *s)
{
	downloads_close(&s->downloads);
	strv_fini(&s->seen);
}

/* Is there a file of that size in DISTDIR? Whether it is the right one shows when it is used. */
static bool is_there(const struct emerge_sizes *s, const char *name, uint64_t size)
{
	struct stat st;
	char *path = path_join(s->downloads.opts.distdir, name);
	bool there = stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == size;
	free(path);
	return there;
}

/* What a file adds to the downloads. */
static uint64_t count(struct emerge_sizes *s, const char *name, uint64_t size)
{
	if (strv_has(&s->seen, name))
		return 0;
	strv_push(&s->seen, name);
	return is_there(s, name, size) ? 0 : size;
}

/* One source of a recipe: nothing where some alternative is there, else the first one. */
static uint64_t source_size(struct emerge_sizes *s, const struct source *source)
{
	for (size_t i = 0; i < source->alternatives.n; i++) {
		const struct source_file *f = &source->alternatives.v[i];
		if (is_there(s, f->name, f->size))
			return 0;
	}
	const struct source_file *first = source->alternatives.v;
	return source->alternatives.n > 0 ? count(s, first->name, first->size) : 0;
}

static uint64_t recipe_size(struct emerge_sizes *s, const struct pkg *p)
{
	struct source_list list = { 0 };
	struct err ignored = ERR_INIT;
	uint64_t bytes = 0;
	bool ok = engine_sources(&s->m->engine, p, &list, &ignored);
	for (size_t i = 0; ok && i < list.v.n; i++)
		bytes += source_size(s, &list.v.v[i]);
	source_list_fini(&list);
	return bytes;
}

/* The Manifest of an ebuild's directory; an absent one is empty. */
static void read_manifest(const struct pkg *p, struct manifest *out)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	char *path = xasprintf("%s/%.*s/Manifest", p->repo->path, STR_ARG(p->cp));
	if (fs_read(AT_FDCWD, path, &text, &ignored))
		manifest_parse(out, (struct str){ text.p, text.n }, path, &ignored);
	buf_fini(&text);
	free(path);
}

static uint64_t file_size(struct emerge_sizes *s, const struct manifest *m, struct str name)
{
	char *text = xstrndup(name.p, name.n);
	const struct manifest_entry *entry = manifest_find(m, MANIFEST_DIST, text);
	uint64_t bytes = entry != NULL ? count(s, text, entry->size) : 0;
	free(text);
	return bytes;
}

static struct str last_part(struct str uri)
{
	size_t k = uri.n;
	while (k > 0 && uri.p[k - 1] != '/')
		k--;
	return (struct str){ uri.p + k, uri.n - k };
}

/* The name in DISTDIR: what follows "->", or the last part of the URI. */
static uint64_t uris_size(
	struct emerge_sizes *s, const struct manifest *m, const struct rlist *list)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < list->n; i++) {
		struct str name = list->v[i].token;
		if (i + 2 < list->n && str_is(list->v[i + 1].token, "->")) {
			i += 2;
			name = list->v[i].token;
		}
		bytes += file_size(s, m, last_part(name));
	}
	return bytes;
}

static uint64_t ebuild_size(struct emerge_sizes *s, const struct pkg *p)
{
	struct arena a = ARENA_INIT;
	struct manifest m = { 0 };
	struct err ignored = ERR_INIT;
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	const struct dep_parse how = { .syntax = DEP_OF_URIS, .eapi = p->eapi };
	const struct reduce reduce = { .on = pkg_flag_on_cb, .on_ctx = p, .flat = true };
	uint64_t bytes = 0;
	read_manifest(p, &m);
	if (dep_parse(&a, p->meta[PKG_SRC_URI], &how, &tree, &ignored) &&
		dep_reduce(&a, tree, &reduce, &list, &ignored) && list != NULL)
		bytes = uris_size(s, &m, list);
	manifest_fini(&m);
	arena_fini(&a);
	return bytes;
}

uint64_t emerge_size(struct emerge_sizes *s, const struct pkg *p)
{
	uint64_t bytes = 0;
	if (p->kind == PKG_RECIPE)
		bytes = recipe_size(s, p);
	else if (p->kind == PKG_EBUILD && p->meta[PKG_SRC_URI].n > 0)
		bytes = ebuild_size(s, p);
	s->total += bytes;
	return bytes;
}

void emerge_add_kib(struct buf *out, uint64_t bytes)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%llu",
		(unsigned long long)(bytes / 1024 + (bytes % 1024 != 0)));
	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			buf_addc(out, ',');
		buf_addc(out, digits[i]);
	}
	buf_adds(out, " KiB");
}
