#include "flaw.h"

#include "mem.h"

#include <string.h>

void flaws_add(struct flaws *f, enum flaw_kind kind, const char *path, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	struct flaw one = { kind, xstrdup(path), xvasprintf(fmt, ap) };
	va_end(ap);
	vec_push(&f->list, one);
}

void flaws_move(struct flaws *into, struct flaws *from)
{
	for (size_t i = 0; i < from->list.n; i++)
		vec_push(&into->list, from->list.v[i]);
	vec_fini(&from->list);
}

static int order(const void *pa, const void *pb)
{
	const struct flaw *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	int by_path = strcmp(a->path, b->path);
	return by_path != 0 ? by_path : strcmp(a->detail, b->detail);
}

void flaws_sort(struct flaws *f)
{
	if (f->list.n > 1)
		qsort(f->list.v, f->list.n, sizeof *f->list.v, order);
}

void flaws_fini(struct flaws *f)
{
	for (size_t i = 0; i < f->list.n; i++) {
		free(f->list.v[i].path);
		free(f->list.v[i].detail);
	}
	vec_fini(&f->list);
}

static const struct {
	const char *name, *title;
} kinds[FLAW_KINDS] = {
	[FLAW_INTERP] = { "elf-loader", "programs started by a loader outside the prefix" },
	[FLAW_NEEDED] = { "elf-needed", "libraries that are not found in the prefix" },
	[FLAW_RUNPATH] = { "elf-runpath", "library search paths that leave the prefix" },
	[FLAW_SCRIPT] = { "script", "scripts whose interpreter is outside the prefix" },
	[FLAW_TEXT] = { "text", "build information that names places outside the prefix" },
	[FLAW_SYMLINK] = { "symlink", "symlinks that leave the prefix" },
	[FLAW_COMPILER] = { "compiler", "search paths of the compiler that leave the prefix" },
	[FLAW_MODE] = { "mode", "files with set-id bits or writable by everybody" },
	[FLAW_OBJECT] = { "object", "object files that are damaged" },
	[FLAW_MISSING] = { "missing", "recorded files that are missing" },
	[FLAW_CONTENT] = { "content", "files that are not as recorded" },
	[FLAW_MTIME] = { "mtime", "files whose time is not as recorded" },
	[FLAW_RECORD] = { "record", "damaged records" },
	[FLAW_UNOWNED] = { "unowned", "files that belong to no package" },
};

const char *flaw_name(enum flaw_kind kind)
{
	return kinds[kind].name;
}

const char *flaw_title(enum flaw_kind kind)
{
	return kinds[kind].title;
}
