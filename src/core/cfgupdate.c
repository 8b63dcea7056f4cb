#include "cfgupdate.h"

#include "digest.h"
#include "fs.h"

#include <fcntl.h>
#include <stdio.h>

#define PREFIX_LENGTH 10 /* of "._cfg0000_" */

struct search {
	struct cfg_updates *found;
	const char *dir; /* the protected directory, "" for the root itself */
};

static bool is_update(const char *name)
{
	if (strncmp(name, "._cfg", 5) != 0 || strlen(name) <= PREFIX_LENGTH ||
		name[PREFIX_LENGTH - 1] != '_')
		return false;
	for (int i = 5; i < PREFIX_LENGTH - 1; i++) {
		if (!chr_digit(name[i]))
			return false;
	}
	return true;
}

static struct cfg_update *entry_of(struct cfg_updates *u, const char *path)
{
	for (size_t i = 0; i < u->list.n; i++) {
		if (strcmp(u->list.v[i].path, path) == 0)
			return &u->list.v[i];
	}
	vec_push(&u->list, (struct cfg_update){ .path = xstrdup(path) });
	return &u->list.v[u->list.n - 1];
}

static void add(struct cfg_updates *u, const char *path)
{
	const char *name = path_base(path);
	char *file = xasprintf("%.*s%s", (int)(name - path), path, name + PREFIX_LENGTH);
	struct cfg_update *entry = entry_of(u, file);
	/* A directory may be listed twice, or lie in another that is. */
	if (!strv_has(&entry->updates, path))
		strv_push(&entry->updates, path);
	free(file);
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct search *s = ctx;
	(void)e;
	if (S_ISDIR(entry->st.st_mode) || !is_update(path_base(entry->path)))
		return true;
	char *path = path_join(s->dir, entry->path);
	add(s->found, path);
	free(path);
	return true;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct cfg_update *)a)->path, ((const struct cfg_update *)b)->path);
}

/* CONFIG_PROTECT may name a single file, whose updates lie in its directory. */
static bool search_file(struct search *s, int root, const char *path, struct err *e)
{
	struct strv names = STRV_INIT;
	char *dir = path_dir(path);
	bool ok = !fs_is_dir(root, dir) || fs_list(root, dir, &names, e);
	for (size_t i = 0; i < names.n; i++) {
		if (!is_update(names.v[i]) ||
			strcmp(names.v[i] + PREFIX_LENGTH, path_base(path)) != 0)
			continue;
		char *whole =
			strcmp(dir, ".") == 0 ? xstrdup(names.v[i]) : path_join(dir, names.v[i]);
		add(s->found, whole);
		free(whole);
	}
	strv_fini(&names);
	free(dir);
	return ok;
}

bool cfg_find(struct cfg_updates *u, int root, const struct protect *protect, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < protect->on.n; i++) {
		struct search s = { u, protect->on.v[i] };
		const char *start = s.dir[0] != '\0' ? s.dir : ".";
		ok = fs_is_dir(root, start) ? fs_walk(root, start, visit, &s, e)
					    : search_file(&s, root, s.dir, e);
	}
	for (size_t i = 0; i < u->list.n; i++)
		strv_sort(&u->list.v[i].updates);
	if (u->list.n > 0)
		qsort(u->list.v, u->list.n, sizeof *u->list.v, by_path);
	return ok;
}

const char *cfg_newest(const struct cfg_update *u)
{
	return u->updates.v[u->updates.n - 1];
}

bool cfg_same(int root, const struct cfg_update *u)
{
	struct stat a, b;
	struct err ignored = ERR_INIT;
	char x[DIGEST_HEX_MAX], y[DIGEST_HEX_MAX];
	const char *newest = cfg_newest(u);
	if (fstatat(root, u->path, &a, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(a.st_mode) ||
		fstatat(root, newest, &b, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(b.st_mode))
		return false;
	return a.st_size == b.st_size && a.st_mode == b.st_mode &&
	       digest_file(root, u->path, DIGEST_MD5, x, &ignored) &&
	       digest_file(root, newest, DIGEST_MD5, y, &ignored) && strcmp(x, y) == 0;
}

static bool remove_first(int root, const struct cfg_update *u, size_t n, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++)
		ok = fs_unlink(root, u->updates.v[i], e);
	return ok;
}

bool cfg_accept(int root, const struct cfg_update *u, struct err *e)
{
	return fs_rename(root, cfg_newest(u), u->path, e) &&
	       remove_first(root, u, u->updates.n - 1, e);
}

bool cfg_reject(int root, const struct cfg_update *u, struct err *e)
{
	return remove_first(root, u, u->updates.n, e);
}

void cfg_updates_fini(struct cfg_updates *u)
{
	for (size_t i = 0; i < u->list.n; i++) {
		free(u->list.v[i].path);
		strv_fini(&u->list.v[i].updates);
	}
	vec_fini(&u->list);
}
