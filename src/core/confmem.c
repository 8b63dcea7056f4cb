/* The config memory: var/lib/portage/config, lines of "path md5…" (portage-formats §4). */
#include "fs.h"
#include "protect.h"

#include <errno.h>

#define CONFMEM_FILE "var/lib/portage/config"

/* Where path is, or would be. */
static size_t position(const struct confmem *m, const char *path, bool *found)
{
	size_t low = 0, high = m->lines.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(m->lines.v[mid].path, path);
		if (order == 0) {
			*found = true;
			return mid;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	*found = false;
	return low;
}

bool confmem_has(const struct confmem *m, const char *path, const char *md5)
{
	bool found;
	size_t at = position(m, path, &found);
	if (!found || md5 == NULL)
		return found;
	/* Portage keeps a list of which the first counts. */
	struct str rest = str_of(m->lines.v[at].md5), first;
	return str_word(&rest, &first) && str_is(first, md5);
}

static void drop(struct confmem *m, size_t at)
{
	free(m->lines.v[at].path);
	free(m->lines.v[at].md5);
	m->lines.n--;
	memmove(m->lines.v + at, m->lines.v + at + 1, (m->lines.n - at) * sizeof *m->lines.v);
}

void confmem_set(struct confmem *m, const char *path, const char *md5)
{
	bool found;
	size_t at = position(m, path, &found);
	if (found && md5 == NULL) {
		drop(m, at);
	} else if (found) {
		free(m->lines.v[at].md5);
		m->lines.v[at].md5 = xstrdup(md5);
	} else if (md5 != NULL && strpbrk(path, " \t\v\f\r\n") == NULL) {
		/* (A path with white space cannot be said in this file: it is offered again.) */
		vec_push(&m->lines, (struct confmem_line){ NULL, NULL });
		memmove(m->lines.v + at + 1, m->lines.v + at,
			(m->lines.n - 1 - at) * sizeof *m->lines.v);
		m->lines.v[at] = (struct confmem_line){ xstrdup(path), xstrdup(md5) };
	}
}

bool confmem_read(struct confmem *m, int root, struct err *e)
{
	struct buf text = BUF_INIT;
	struct err missing = ERR_INIT;
	bool ok = fs_read(root, CONFMEM_FILE, &text, &missing) || missing.sys == ENOENT;
	if (!ok)
		*e = missing;
	struct str rest = { text.p, text.n }, line, path;
	while (str_split(&rest, '\n', &line)) {
		if (!str_word(&line, &path))
			continue;
		/* Portage keeps a list; the first of it is what counts. The rest stays as it was.
		 */
		struct str value = str_trim(line);
		char *p = xstrndup(path.p, path.n), *v = xstrndup(value.p, value.n);
		confmem_set(m, p, v);
		free(p);
		free(v);
	}
	buf_fini(&text);
	return ok;
}

bool confmem_write(const struct confmem *m, int root, struct err *e)
{
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < m->lines.n; i++)
		buf_printf(&text, "%s %s\n", m->lines.v[i].path, m->lines.v[i].md5);
	bool ok = fs_mkdirs(root, "var/lib/portage", 0755, e) &&
		  fs_write_if_changed(root, CONFMEM_FILE, buf_str(&text), text.n, 0644, e);
	buf_fini(&text);
	return ok;
}

void confmem_fini(struct confmem *m)
{
	for (size_t i = 0; i < m->lines.n; i++) {
		free(m->lines.v[i].path);
		free(m->lines.v[i].md5);
	}
	vec_fini(&m->lines);
}
