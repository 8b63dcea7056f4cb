#include "world.h"

#include "atom.h"
#include "fs.h"
#include "lock.h"

#include <errno.h>

#define SETS_FILE "var/lib/portage/world_sets"

static bool is_atom(const char *text)
{
	struct arena arena = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct atom *a = atom_parse(
		&arena, str_of(text), (struct str){ "", 0 }, ATOM_WILDCARDS | ATOM_REPO, &ignored);
	bool ok = a != NULL && a->block == ATOM_NO_BLOCK;
	arena_fini(&arena);
	return ok;
}

static bool is_set(const char *text)
{
	return text[0] == '@' && text[1] != '\0' && strpbrk(text, " \t/") == NULL;
}

/* The list of its kind, NULL when the entry is neither. */
static struct strv *list_for(struct world *w, const char *entry)
{
	return is_set(entry) ? &w->sets : is_atom(entry) ? &w->atoms : NULL;
}

static bool read_file(struct world *w, int root, const char *path, struct err *e)
{
	struct buf text = BUF_INIT;
	bool ok = !fs_exists(root, path) || fs_read(root, path, &text, e);
	struct str rest = { buf_str(&text), text.n }, line;
	while (ok && str_split(&rest, '\n', &line)) {
		line = str_trim(line);
		if (line.n == 0 || line.p[0] == '#')
			continue;
		char *entry = xstrndup(line.p, line.n);
		if (list_for(w, entry) != NULL)
			world_add(w, entry);
		else
			strv_push(&w->bad, entry);
		free(entry);
	}
	buf_fini(&text);
	return ok;
}

bool world_read(struct world *w, int root, struct err *e)
{
	return read_file(w, root, WORLD_FILE, e) && read_file(w, root, SETS_FILE, e);
}

bool world_add(struct world *w, const char *entry)
{
	struct strv *list = list_for(w, entry);
	if (list == NULL || strv_has(list, entry))
		return false;
	strv_push(list, entry);
	strv_sort(list);
	return true;
}

bool world_remove(struct world *w, const char *entry)
{
	struct strv *list = is_set(entry) ? &w->sets : &w->atoms;
	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->v[i], entry) != 0)
			continue;
		free(list->v[i]);
		list->n--;
		memmove(list->v + i, list->v + i + 1, (list->n - i) * sizeof *list->v);
		return true;
	}
	return false;
}

static bool write_file(const struct strv *list, int root, const char *path, struct err *e)
{
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < list->n; i++)
		buf_printf(&text, "%s\n", list->v[i]);
	/* A file that is not there and would be empty need not be made. */
	bool ok = (text.n == 0 && !fs_exists(root, path)) ||
		  fs_write_if_changed(root, path, buf_str(&text), text.n, 0644, e);
	buf_fini(&text);
	return ok;
}

bool world_write(struct world *w, int root, struct err *e)
{
	struct lock l = LOCK_NONE;
	if (!fs_mkdirs(root, "var/lib/portage", 0755, e))
		return false;
	char *path = fs_shown(root, WORLD_FILE);
	bool ok = lock_wait_portage(&l, path, e) && write_file(&w->atoms, root, WORLD_FILE, e) &&
		  write_file(&w->sets, root, SETS_FILE, e);
	lock_release(&l);
	free(path);
	return ok;
}

void world_fini(struct world *w)
{
	strv_fini(&w->atoms);
	strv_fini(&w->sets);
	strv_fini(&w->bad);
}
