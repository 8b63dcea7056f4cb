#include "finding.h"

#include "mem.h"

#include <string.h>

void findings_add(
	struct findings *f, enum finding_kind kind, const char *path, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	struct finding one = { kind, xstrdup(path), xvasprintf(fmt, ap) };
	va_end(ap);
	vec_push(&f->list, one);
}

void findings_move(struct findings *into, struct findings *from)
{
	for (size_t i = 0; i < from->list.n; i++)
		vec_push(&into->list, from->list.v[i]);
	vec_fini(&from->list);
}

static int order(const void *pa, const void *pb)
{
	const struct finding *a = pa, *b = pb;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	int by_path = strcmp(a->path, b->path);
	return by_path != 0 ? by_path : strcmp(a->detail, b->detail);
}

void findings_sort(struct findings *f)
{
	if (f->list.n > 1)
		qsort(f->list.v, f->list.n, sizeof *f->list.v, order);
}

void findings_fini(struct findings *f)
{
	for (size_t i = 0; i < f->list.n; i++) {
		free(f->list.v[i].path);
		free(f->list.v[i].detail);
	}
	vec_fini(&f->list);
}

static const struct {
	const char *name, *title;
} kinds[FIND_KINDS] = {
	[FIND_INTERP] = { "elf-loader", "programs started by a loader outside the prefix" },
	[FIND_NEEDED] = { "elf-needed", "libraries that are not found in the prefix" },
	[FIND_RUNPATH] = { "elf-runpath", "library search paths that leave the prefix" },
	[FIND_SCRIPT] = { "script", "scripts whose interpreter is outside the prefix" },
	[FIND_TEXT] = { "text", "build information that names places outside the prefix" },
	[FIND_SYMLINK] = { "symlink", "symlinks that leave the prefix" },
	[FIND_COMPILER] = { "compiler", "search paths of the compiler that leave the prefix" },
	[FIND_MODE] = { "mode", "files with set-id bits or writable by everybody" },
	[FIND_OBJECT] = { "object", "object files that are damaged" },
	[FIND_MISSING] = { "missing", "recorded files that are missing" },
	[FIND_CONTENT] = { "content", "files that are not as recorded" },
	[FIND_MTIME] = { "mtime", "files whose time is not as recorded" },
	[FIND_RECORD] = { "record", "damaged records" },
	[FIND_UNOWNED] = { "unowned", "files that belong to no package" },
};

const char *finding_name(enum finding_kind kind)
{
	return kinds[kind].name;
}

const char *finding_title(enum finding_kind kind)
{
	return kinds[kind].title;
}
