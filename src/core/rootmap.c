#include "rootmap.h"

#include "fs.h"

#include <stdlib.h>

#define MAX_LINKS 40 /* as the kernel */

void rootmap_init(struct rootmap *m, int root, const char *offset)
{
	*m = (struct rootmap){ .root = root, .offset = offset };
}

const char *rootmap_relative(const char *offset, const char *path)
{
	size_t n = strlen(offset);
	if (strncmp(path, offset, n) != 0 || path[n] != '/' || path[n + 1] == '\0')
		return NULL;
	return path + n + 1;
}

static struct str split_dir(struct str path, struct str *base)
{
	size_t at = path.n;
	while (at > 0 && path.p[at - 1] != '/')
		at--;
	*base = (struct str){ path.p + at, path.n - at };
	return (struct str){ path.p, at > 0 ? at - 1 : 0 };
}

static struct str join(struct rootmap *m, struct str dir, struct str base)
{
	char *p = arena_alloc(&m->arena, dir.n + base.n + 2);
	size_t n = 0;
	if (dir.n > 0) {
		memcpy(p, dir.p, dir.n);
		n = dir.n;
		p[n++] = '/';
	}
	memcpy(p + n, base.p, base.n);
	n += base.n;
	p[n] = '\0';
	return (struct str){ p, n };
}

static struct str real_dir(struct rootmap *m, struct str dir, unsigned links);

/* Where the symlink at `at` (physical directory `dir`) leads to. */
static struct str follow(struct rootmap *m, struct str dir, const char *target, unsigned links)
{
	const char *inside = target[0] == '/' ? rootmap_relative(m->offset, target) : NULL;
	char *whole, *clean;
	if (target[0] != '/')
		whole = xasprintf("%.*s%s%s", STR_ARG(dir), dir.n > 0 ? "/" : "", target);
	else
		whole = xstrdup(inside != NULL ? inside : target);
	clean = path_clean(whole);
	char *kept = arena_strdup(&m->arena, strcmp(clean, ".") == 0 ? "" : clean);
	free(whole);
	free(clean);
	bool outside = kept[0] == '/' || strncmp(kept, "..", 2) == 0;
	return outside ? str_of(kept) : real_dir(m, str_of(kept), links + 1);
}

static struct str look(struct rootmap *m, struct str dir, unsigned links)
{
	struct str base, parent = split_dir(dir, &base);
	struct str above = parent.n > 0 ? real_dir(m, parent, links) : parent;
	struct str here = join(m, above, base);
	struct err ignored = ERR_INIT;
	char *target = links < MAX_LINKS ? fs_readlink(m->root, here.p, &ignored) : NULL;
	struct str result = target != NULL ? follow(m, above, target, links) : here;
	free(target);
	return result;
}

static struct str real_dir(struct rootmap *m, struct str dir, unsigned links)
{
	if (dir.n == 0)
		return dir;
	const struct str *known = map_get(&m->dirs, dir);
	if (known != NULL)
		return *known;
	struct str *result = arena_alloc(&m->arena, sizeof *result);
	struct str key = join(m, (struct str){ "", 0 }, dir);
	*result = look(m, key, links);
	map_set(&m->dirs, key, result);
	return *result;
}

struct str rootmap_real(struct rootmap *m, struct str path)
{
	struct str base, dir = split_dir(path, &base);
	struct str real = real_dir(m, dir, 0);
	return str_eq(real, dir) ? path : join(m, real, base);
}

void rootmap_fini(struct rootmap *m)
{
	map_fini(&m->dirs);
	arena_fini(&m->arena);
}
