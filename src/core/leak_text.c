/*
 * Paths in text that later builds read. In .pc and .la files and in linker scripts (libc.so) every
 * absolute path counts; in the others (compilers' and interpreters' records of how they were built)
 * only those to directories that will be gone.
 */
#include "fs.h"
#include "leak_int.h"

#include <fnmatch.h>

enum text_kind { TEXT_OTHER, TEXT_BUILD_INFO, TEXT_RECORD };

static bool is_linker_script(const char *path, struct str data)
{
	return (fnmatch("*.so", path, 0) == 0 || fnmatch("*.a", path, 0) == 0) &&
	       str_starts(data, "/* GNU ld script");
}

/* Without the comment it starts with, which is prose. */
static struct str behind_comment(struct str data)
{
	const char *end = memmem(data.p, data.n, "*/", 2);
	size_t n = end != NULL && str_starts(data, "/*") ? (size_t)(end - data.p) + 2 : 0;
	return (struct str){ data.p + n, data.n - n };
}

static enum text_kind kind_of(const char *path, struct str data)
{
	static const char *const records[] = { "*-config", "*/Config.pm", "*/Config_*.pl",
		"*/_sysconfigdata*.py", "*/config-*/Makefile", "*.cmake", "*/libtool", NULL };
	if (fnmatch("*.pc", path, 0) == 0 || fnmatch("*.la", path, 0) == 0 ||
		is_linker_script(path, data))
		return TEXT_BUILD_INFO;
	for (size_t i = 0; records[i] != NULL; i++)
		if (fnmatch(records[i], path, 0) == 0)
			return TEXT_RECORD;
	return TEXT_OTHER;
}

/* What ends a path in a shell-like word list. */
static bool ends_path(char c)
{
	return chr_space(c) || strchr("\"':;,()<>`|&", c) != NULL;
}

/*
 * Can a path start at line.p[at]? Behind a separator or an option letter such as -I; neither the
 * "//" of a URL nor a comment is one.
 */
static bool starts_path(struct str line, size_t at)
{
	if (line.p[at] != '/' ||
		(at + 1 < line.n && (line.p[at + 1] == '/' || line.p[at + 1] == '*')))
		return false;
	if (at == 0 || ends_path(line.p[at - 1]) || line.p[at - 1] == '=')
		return true;
	if (at >= 2 && line.p[at - 2] == '-' && strchr("ILFR", line.p[at - 1]) != NULL)
		return at == 2 || ends_path(line.p[at - 3]) || line.p[at - 3] == '=';
	return at >= 8 && memcmp(line.p + at - 8, "-isystem", 8) == 0;
}

/* Lines for people: they may name what they like. */
static bool is_prose(struct str line)
{
	static const char *const words[] = { "#", "Name:", "Description:", "URL:", "Version:" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_starts(line, words[i]))
			return true;
	return false;
}

static void check_line(const struct leak *l, const char *path, struct str line, struct flaws *f)
{
	for (size_t at = 0; at < line.n; at++) {
		if (!starts_path(line, at))
			continue;
		size_t end = at;
		while (end < line.n && !ends_path(line.p[end]))
			end++;
		char *value = xstrndup(line.p + at, end - at);
		if (!leak_allows(l, FLAW_TEXT, path, value))
			flaws_add(f, FLAW_TEXT, path, "names %s", value);
		free(value);
		at = end;
	}
}

static void check_lines(const struct leak *l, const char *path, struct str data, struct flaws *f)
{
	struct str line;
	while (str_split(&data, '\n', &line))
		if (!is_prose(line))
			check_line(l, path, line, f);
}

/* Would this byte behind a name make it a longer one? */
static bool goes_on(char c)
{
	return chr_alnum(c) || (c != '\0' && strchr("._-+", c) != NULL);
}

/* The directory as a whole path: not as the start of a longer name. */
static const char *find_dir(struct str data, const char *dir)
{
	size_t n = strlen(dir);
	const char *end = data.p + data.n, *at = data.p;
	while ((at = memmem(at, (size_t)(end - at), dir, n)) != NULL) {
		if (at + n == end || !goes_on(at[n]))
			return at;
		at += n;
	}
	return NULL;
}

static void check_forbidden(
	const struct leak *l, const char *path, struct str data, struct flaws *f)
{
	for (size_t i = 0; i < l->forbidden.n; i++) {
		const char *at = find_dir(data, l->forbidden.v[i]), *end = data.p + data.n;
		if (at == NULL)
			continue;
		size_t n = 0;
		while (at + n < end && at[n] != '\0' && !ends_path(at[n]))
			n++;
		flaws_add(f, FLAW_TEXT, path, "names %.*s", (int)n, at);
	}
}

void leak_check_text(const struct leak *l, const char *path, struct str data, struct flaws *f)
{
	switch (kind_of(path, data)) {
	case TEXT_BUILD_INFO:
		check_lines(l, path, behind_comment(data), f);
		break;
	case TEXT_RECORD:
		check_forbidden(l, path, data, f);
		break;
	case TEXT_OTHER:
		break;
	}
}
