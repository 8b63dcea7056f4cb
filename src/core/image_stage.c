/* Making ready what a merge puts in place: everything new lies aside, with its final content. */
#include "image_plan.h"
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void make_dir(struct plan *p, const char *path, mode_t mode)
{
	map_set(&p->made, str_of(path), p);
	plan_open_dir_of(p, path);
	if ((mode & 0700) != 0700)
		plan_mode(p, path, mode);
	journal_add(&p->journal, JOURNAL_MKDIR, path,
		arena_printf(&p->arena, "%o", (unsigned)((mode & 07777) | 0700)));
}

void plan_mkdirs(struct plan *p, const char *path)
{
	for (const char *at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/')) {
		struct str dir = { path, (size_t)(at - path) };
		const char *kept = plan_path(p, dir);
		if (map_get(&p->made, dir) == NULL && !fs_exists(p->root, kept))
			make_dir(p, kept, 0755);
	}
}

static void place_dir(struct plan *p, struct node *n)
{
	if (n->final == NULL || !n->absent)
		return;
	if (n->blocked) {
		n->temp = plan_temp(p, n->path);
		plan_open_dir_of(p, n->path);
		journal_add(&p->journal, JOURNAL_ASIDE, n->path, n->temp);
	}
	make_dir(p, n->path, n->st.st_mode);
}

static void place_node(struct plan *p, struct node *n)
{
	if (n->final == NULL)
		return;
	n->temp = plan_temp(p, n->final);
	plan_open_dir_of(p, n->final);
	journal_add(&p->journal, JOURNAL_PLACE, n->final, n->temp);
	p->report->files++;
	if (n->type == CONTENTS_OBJ)
		p->report->bytes += (uint64_t)n->st.st_size;
}

void plan_places(struct plan *p, const struct image_extra *extras, size_t n)
{
	for (size_t i = 0; i < p->nodes.n; i++) {
		if (p->nodes.v[i]->type == CONTENTS_DIR)
			place_dir(p, p->nodes.v[i]);
	}
	/* Symlinks last: what they lead to is there when they appear. */
	for (int links = 0; links <= 1; links++) {
		for (size_t i = 0; i < p->nodes.n; i++) {
			struct node *node = p->nodes.v[i];
			if (node->type != CONTENTS_DIR && (node->type == CONTENTS_SYM) == links)
				place_node(p, node);
		}
	}
	for (size_t i = 0; i < n; i++) {
		plan_mkdirs(p, extras[i].path);
		journal_add(
			&p->journal, JOURNAL_PLACE, extras[i].path, plan_temp(p, extras[i].path));
	}
}

static bool stage_dir(const struct journal_op *op, int root, struct err *e)
{
	mode_t mode = (mode_t)strtoul(op->other, NULL, 8);
	if (mkdirat(root, op->path, mode) != 0)
		return errno == EEXIST || fs_fail(e, "create", root, op->path);
	return fchmodat(root, op->path, mode, 0) == 0 || fs_fail(e, "chmod", root, op->path);
}

bool stage_dirs(const struct plan *p, struct err *e)
{
	for (size_t i = 0; i < p->journal.ops.n; i++) {
		const struct journal_op *op = &p->journal.ops.v[i];
		if (op->verb == JOURNAL_ASIDE && !fs_rename(p->root, op->path, op->other, e))
			return false;
		if (op->verb == JOURNAL_MKDIR && !stage_dir(op, p->root, e))
			return false;
	}
	return true;
}

struct stage {
	const struct plan *plan;
	int image; /* D/offset */
	struct map links; /* device and inode → the node that lies ready */
	struct arena arena;
};

/* The node with the same inode that was staged before this one, if any. */
static const struct node *twin_of(struct stage *s, const struct node *n)
{
	if (n->st.st_nlink < 2)
		return NULL;
	char *key = arena_printf(&s->arena, "%llx:%llx", (unsigned long long)n->st.st_dev,
		(unsigned long long)n->st.st_ino);
	const struct node *twin = map_get(&s->links, str_of(key));
	if (twin == NULL)
		map_set(&s->links, str_of(key), (void *)n);
	return twin;
}

static bool stage_node(struct stage *s, const struct node *n, struct err *e)
{
	int root = s->plan->root;
	struct timespec mtime = place_mtime(&n->st);
	if (n->type == CONTENTS_SYM)
		return place_symlink(n->target, root, n->temp, &mtime, e);
	if (n->type == CONTENTS_FIF)
		return place_fifo(root, n->temp, &n->st, e);
	const struct node *twin = twin_of(s, n);
	struct place from_image = { s->image, root, n->path, n->temp };
	struct place from_twin = { root, root, twin != NULL ? twin->temp : NULL, n->temp };
	return place_file(twin != NULL ? &from_twin : &from_image, e);
}

static bool stage_nodes(struct stage *s, struct err *e)
{
	const struct plan *p = s->plan;
	for (size_t i = 0; i < p->nodes.n; i++) {
		const struct node *n = p->nodes.v[i];
		if (n->type != CONTENTS_DIR && n->final != NULL && !stage_node(s, n, e))
			return false;
	}
	return true;
}

static bool stage_image(const struct plan *p, const char *image, struct err *e)
{
	struct stage s = { .plan = p, .image = -1 };
	if (p->nodes.n == 0)
		return true;
	char *start = xasprintf("%s%s", image, p->offset);
	bool ok = fs_open_dir(AT_FDCWD, start, &s.image, e) && stage_nodes(&s, e);
	if (s.image >= 0)
		close(s.image);
	map_fini(&s.links);
	arena_fini(&s.arena);
	free(start);
	return ok;
}

bool stage_extras(struct plan *p, const struct image_extra *extras, size_t n, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++)
		ok = record_write_file(p->root, plan_temp(p, extras[i].path), extras[i].value, e);
	return ok;
}

bool stage_all(struct plan *p, const struct image_merge *m, struct err *e)
{
	return journal_open_up(&p->journal, p->root, e) && stage_dirs(p, e) &&
	       stage_image(p, m->image, e) && stage_extras(p, m->extras, m->n_extras, e);
}
