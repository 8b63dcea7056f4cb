#include "linefile.h"

#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

bool file_text(struct arena *a, const char *path, struct str *text, struct err *e)
{
	struct buf content = BUF_INIT;
	bool ok = fs_read(AT_FDCWD, path, &content, e);
	if (ok) {
		char *copy = arena_alloc(a, content.n + 1);
		memcpy(copy, buf_str(&content), content.n);
		copy[content.n] = '\0';
		*text = (struct str){ copy, content.n };
	}
	buf_fini(&content);
	return ok;
}

static bool left_out(const char *name)
{
	static const char *const vcs[] = { "CVS", "RCS", "SCCS" };
	size_t n = strlen(name);
	if (name[0] == '.' || n == 0 || name[n - 1] == '~')
		return true;
	for (size_t i = 0; i < sizeof vcs / sizeof *vcs; i++) {
		if (strcmp(name, vcs[i]) == 0)
			return true;
	}
	return false;
}

bool files_of(const char *path, struct strv *files, struct err *e)
{
	if (!fs_is_dir(AT_FDCWD, path)) {
		if (fs_exists(AT_FDCWD, path))
			strv_push(files, path);
		return true;
	}
	struct strv names = STRV_INIT;
	bool ok = fs_list(AT_FDCWD, path, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		if (left_out(names.v[i]))
			continue;
		char *child = path_join(path, names.v[i]);
		ok = files_of(child, files, e);
		free(child);
	}
	strv_fini(&names);
	return ok;
}

/* The words of one line up to a comment; the arena's. */
static size_t split_line(struct arena *a, struct str text, struct str **words)
{
	struct str rest = text, word;
	size_t n = 0;
	while (str_word(&rest, &word) && word.p[0] != '#')
		n++;
	*words = n > 0 ? arena_alloc(a, n * sizeof **words) : NULL;
	rest = text;
	for (size_t i = 0; i < n && str_word(&rest, &word); i++)
		(*words)[i] = word;
	return n;
}

void lines_split(struct arena *a, struct str text, const char *file, struct line_list *out)
{
	struct str part;
	for (unsigned number = 1; str_split(&text, '\n', &part); number++) {
		struct line l = { .file = file, .number = number };
		l.n = split_line(a, part, &l.words);
		if (l.n > 0)
			vec_push(&out->list, l);
	}
}

bool lines_read(struct arena *a, const char *path, struct line_list *out, struct err *e)
{
	struct strv files = STRV_INIT;
	bool ok = files_of(path, &files, e);
	for (size_t i = 0; ok && i < files.n; i++) {
		struct str text;
		ok = file_text(a, files.v[i], &text, e);
		if (ok)
			lines_split(a, text, arena_strdup(a, files.v[i]), out);
	}
	strv_fini(&files);
	return ok;
}
