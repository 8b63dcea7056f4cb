/* The record of a merge: its number, its files, its way into the database (§3.6). */
#include "image_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define VDB "var/db/pkg"
#define COUNTER_FILE "var/cache/edb/counter"

const char *record_aside(struct plan *p)
{
	return arena_printf(&p->arena, VDB "/%s/-MERGING-%s", p->category, p->pf);
}

/* The decimal number that text starts with; -1 when there is none. */
static int64_t number(const char *text)
{
	char *end;
	errno = 0;
	long long n = strtoll(text, &end, 10);
	return end == text || errno != 0 || n < 0 ? -1 : n;
}

static int64_t read_number(int root, const char *path)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	int64_t n = fs_read(root, path, &text, &ignored) ? number(buf_str(&text)) : -1;
	buf_fini(&text);
	return n;
}

/* The consolidated file may be the only copy (portage-formats §3.4). */
static int64_t number_in_metadata(int root, const char *dir)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	int64_t n = -1;
	char *path = xasprintf("%s/metadata", dir);
	if (fs_read(root, path, &text, &ignored)) {
		const char *at = strstr(buf_str(&text), "\nCOUNTER=");
		n = at != NULL ? number(at + strlen("\nCOUNTER=")) : -1;
	}
	buf_fini(&text);
	free(path);
	return n;
}

static int64_t counter_of(int root, const char *dir)
{
	char *path = xasprintf("%s/COUNTER", dir);
	int64_t n = fs_exists(root, path) ? read_number(root, path) : number_in_metadata(root, dir);
	free(path);
	return n;
}

static int64_t highest_in(int root, const char *category)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	int64_t highest = -1;
	char *dir = xasprintf(VDB "/%s", category);
	fs_list(root, dir, &names, &ignored);
	for (size_t i = 0; i < names.n; i++) {
		if (names.v[i][0] == '.' || names.v[i][0] == '-')
			continue;
		char *record = path_join(dir, names.v[i]);
		int64_t n = counter_of(root, record);
		highest = n > highest ? n : highest;
		free(record);
	}
	strv_fini(&names);
	free(dir);
	return highest;
}

bool image_next_counter(int root, uint64_t *counter, struct err *e)
{
	struct strv names = STRV_INIT;
	struct err missing = ERR_INIT;
	int64_t highest = read_number(root, COUNTER_FILE);
	bool ok = fs_list(root, VDB, &names, &missing) || missing.sys == ENOENT;
	if (!ok)
		*e = missing;
	for (size_t i = 0; i < names.n; i++) {
		int64_t n = names.v[i][0] != '.' ? highest_in(root, names.v[i]) : -1;
		highest = n > highest ? n : highest;
	}
	strv_fini(&names);
	*counter = (uint64_t)(highest + 1);
	return ok;
}

void plan_records(struct plan *p, bool publish, uint64_t counter)
{
	const char *category = arena_printf(&p->arena, VDB "/%s", p->category);
	if (publish) {
		plan_mkdirs(p, COUNTER_FILE);
		plan_mkdirs(p, record_aside(p));
		journal_add(&p->journal, JOURNAL_WRITE, COUNTER_FILE,
			arena_printf(&p->arena, "%llu", (unsigned long long)counter));
	}
	for (size_t i = 0; i < p->old.n; i++) {
		const char *dir = p->old.v[i]->dir;
		/* Under a name that no reader takes for a category. */
		journal_add(&p->journal, JOURNAL_RETIRE, dir,
			arena_printf(
				&p->arena, VDB "/.eprefix-old.%s.%s", p->category, path_base(dir)));
	}
	if (publish)
		journal_add(&p->journal, JOURNAL_RECORD,
			arena_printf(&p->arena, "%s/%s", category, p->pf), record_aside(p));
	else
		journal_add(&p->journal, JOURNAL_RMDIR, category, "");
	journal_add(&p->journal, JOURNAL_TOUCH, category, "");
	journal_add(&p->journal, JOURNAL_TOUCH, VDB, "");
}

bool record_write_file(int dir, const char *name, struct str value, struct err *e)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return fs_fail(e, "create", dir, name);
	bool ok = fchmod(fd, 0644) == 0;
	while (ok && value.n > 0) {
		ssize_t n = write(fd, value.p, value.n);
		ok = n > 0 || errno == EINTR;
		if (n > 0)
			value = (struct str){ value.p + n, value.n - (size_t)n };
	}
	ok = close(fd) == 0 && ok;
	return ok || fs_fail(e, "write", dir, name);
}

static void list_node(struct buf *out, const struct plan *p, const struct node *n)
{
	char *path = xasprintf("%s/%s", p->offset, n->path);
	struct contents_entry entry = { .type = n->type,
		.path = str_of(path),
		.target = str_of(n->target),
		.md5 = str_of(n->md5),
		.mtime = n->st.st_mtime > 0 ? (uint64_t)n->st.st_mtime : 0 };
	contents_format(out, &entry);
	free(path);
}

static bool write_contents(const struct plan *p, int dir, struct err *e)
{
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < p->nodes.n; i++)
		list_node(&text, p, p->nodes.v[i]);
	for (size_t i = 0; i < p->kept.n; i++)
		contents_format(&text, p->kept.v[i]);
	bool ok = record_write_file(dir, "CONTENTS", (struct str){ buf_str(&text), text.n }, e);
	buf_fini(&text);
	return ok;
}

static bool write_counter(int dir, uint64_t counter, struct err *e)
{
	char text[24];
	int n = snprintf(text, sizeof text, "%llu", (unsigned long long)counter);
	return record_write_file(dir, "COUNTER", (struct str){ text, (size_t)n }, e);
}

bool record_write(struct plan *p, const struct image_merge *m, uint64_t counter, struct err *e)
{
	const char *path = record_aside(p);
	int dir = -1;
	if (!fs_remove_tree(p->root, path, e))
		return false;
	if (mkdirat(p->root, path, 0755) != 0)
		return fs_fail(e, "create", p->root, path);
	if (!fs_open_dir(p->root, path, &dir, e))
		return false;
	bool ok = fchmod(dir, 0755) == 0 || fs_fail(e, "chmod", p->root, path);
	for (size_t i = 0; ok && i < m->n_fields; i++)
		ok = record_write_file(dir, m->fields[i].name, m->fields[i].value, e);
	ok = ok && write_counter(dir, counter, e) && write_contents(p, dir, e);
	close(dir);
	return ok;
}
