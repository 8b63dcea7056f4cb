/* Names as archives give them: made safe, matched, and shown. */
#include "archive_tree.h"

#include "mem.h"

#include <fnmatch.h>

static bool unsafe(const char *raw, const char *why, struct err *e)
{
	char *shown = archive_show(raw);
	err_set(e, ERR_FAILED, "archive.unsafe", "%s: %s", shown, why);
	free(shown);
	return false;
}

bool archive_name(const char *raw, unsigned strip, struct buf *out, struct err *e)
{
	struct str rest = str_of(raw), part;
	buf_clear(out);
	if (raw[0] == '/')
		return unsafe(raw, "the name is absolute", e);
	while (str_split(&rest, '/', &part)) {
		if (str_is(part, ".."))
			return unsafe(
				raw, "the name holds \"..\" and might leave the directory", e);
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (strip > 0) {
			strip--;
			continue;
		}
		if (out->n > 0)
			buf_addc(out, '/');
		buf_add_str(out, part);
	}
	return true;
}

/* The path itself, then each directory above it, so that "*" never has to span a "/". */
static bool matches_one(const char *glob, const char *path)
{
	char *prefix = xstrdup(path);
	bool found = fnmatch(glob, prefix, FNM_PATHNAME) == 0;
	for (char *slash; !found && (slash = strrchr(prefix, '/')) != NULL;) {
		*slash = '\0';
		found = fnmatch(glob, prefix, FNM_PATHNAME) == 0;
	}
	free(prefix);
	return found;
}

bool archive_matches(const char *const *globs, const char *path)
{
	for (size_t i = 0; globs[i] != NULL; i++)
		if (matches_one(globs[i], path))
			return true;
	return false;
}

char *archive_show(const char *name)
{
	char *shown = xstrdup(name);
	for (char *p = shown; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return shown;
}
