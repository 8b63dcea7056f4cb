#include "fs.h"

#include "mem.h"

#include <stdlib.h>

char *path_join(const char *a, const char *b)
{
	if (b[0] == '/' || a[0] == '\0')
		return xstrdup(b);
	if (b[0] == '\0')
		return xstrdup(a);
	size_t n = strlen(a);
	return xasprintf("%s%s%s", a, a[n - 1] == '/' ? "" : "/", b);
}

/* Take the last component off again; false when there is none that ".." could cancel. */
static bool drop_last(struct buf *out, size_t root)
{
	if (out->n <= root)
		return false;
	size_t at = out->n;
	while (at > root && out->p[at - 1] != '/')
		at--;
	if (strcmp(out->p + at, "..") == 0)
		return false;
	out->n = at > root ? at - 1 : root;
	out->p[out->n] = '\0';
	return true;
}

char *path_clean(const char *path)
{
	struct buf out = BUF_INIT;
	size_t root = path[0] == '/' ? 1 : 0;
	buf_add(&out, "/", root);
	struct str rest = str_of(path), part;
	while (str_split(&rest, '/', &part)) {
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..") && (drop_last(&out, root) || root == 1))
			continue;
		if (out.n > root)
			buf_addc(&out, '/');
		buf_add_str(&out, part);
	}
	if (out.n == 0)
		buf_addc(&out, '.');
	return buf_take(&out);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

char *path_dir(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (slash == NULL)
		return xstrdup(".");
	while (slash > path && slash[-1] == '/')
		slash--;
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}
