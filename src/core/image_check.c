/* What the root has in the places of the image's files, and what that means for the merge. */
#include "digest.h"
#include "image_plan.h"

#include <errno.h>
#include <fcntl.h>

#define UNOWNED_SHOWN 5

struct check {
	struct plan *plan;
	bool ignore_confmem;
	size_t unowned;
	struct buf unowned_names;
};

/* What is in a file's place. */
struct dest {
	struct stat st;
	enum contents_type type;
	char *target;
	char md5[DIGEST_HEX_MAX];
};

static void check_dir(struct plan *p, struct node *n, const struct stat *st)
{
	struct stat behind;
	if (S_ISDIR(st->st_mode))
		return;
	if (S_ISLNK(st->st_mode) && fstatat(p->root, n->path, &behind, 0) == 0 &&
		S_ISDIR(behind.st_mode))
		return;
	const char *owner = plan_owner(p, n->path);
	if (owner != NULL)
		plan_problem(p, "%s is a directory in the image, but a file of %s in the root",
			n->path, owner);
	else if (map_get(&p->old_by_real, n->real) == NULL)
		plan_problem(p,
			"%s is a directory in the image, but a file that no package owns in "
			"the root: move it away",
			n->path);
	else
		n->blocked = n->absent = true;
}

static void check_against_dir(struct plan *p, const struct node *n)
{
	const char *owner = plan_owner(p, n->path);
	bool old = map_get(&p->old_by_real, n->real) != NULL;
	if (owner != NULL)
		plan_problem(p, "%s is a %s in the image, but a directory of %s in the root",
			n->path, n->type == CONTENTS_SYM ? "symlink" : "file", owner);
	else
		plan_problem(p, "%s is a %s in the image, but a directory%s in the root: %s",
			n->path, n->type == CONTENTS_SYM ? "symlink" : "file",
			old ? " of the installed instance" : "",
			old ? "unmerge that one first" : "move it away");
}

static void check_owner(struct check *c, const struct node *n)
{
	if (map_get(&c->plan->old_by_real, n->real) != NULL)
		return;
	const char *owner = plan_owner(c->plan, n->path);
	if (owner != NULL) {
		plan_problem(c->plan, "%s belongs to %s", n->path, owner);
		return;
	}
	if (c->unowned++ < UNOWNED_SHOWN)
		buf_printf(&c->unowned_names, "%s%s", c->unowned > 1 ? ", " : "", n->path);
}

static bool look_at(struct plan *p, const char *path, struct dest *d, struct err *e)
{
	d->type = S_ISREG(d->st.st_mode)   ? CONTENTS_OBJ
		  : S_ISLNK(d->st.st_mode) ? CONTENTS_SYM
					   : CONTENTS_FIF;
	if (d->type == CONTENTS_OBJ)
		return digest_file(p->root, path, DIGEST_MD5, d->md5, e);
	if (d->type != CONTENTS_SYM)
		return true;
	d->target = fs_readlink(p->root, path, e);
	if (d->target != NULL)
		digest_bytes(d->target, strlen(d->target), DIGEST_MD5, d->md5);
	return d->target != NULL;
}

/* Is what is there still what the replaced package put there? */
static bool unmodified(const struct dest *d, const struct contents_entry *old)
{
	if (old == NULL || old->type != d->type)
		return false;
	if (d->type == CONTENTS_OBJ)
		return old->md5.n == strlen(d->md5) &&
		       strncasecmp(old->md5.p, d->md5, old->md5.n) == 0;
	return d->type == CONTENTS_SYM && str_is(old->target, d->target);
}

static bool offer(struct plan *p, struct node *n, struct err *e)
{
	char *name = protect_update_name(p->root, n->path, n->md5, e);
	if (name == NULL)
		return false;
	n->final = arena_strdup(&p->arena, name);
	strv_own(&p->report->updates, name);
	return true;
}

/*
 * Portage's rules (FEATURES=config-protect-if-modified is its default): what the user did not
 * change is updated; the same content is no update; what was offered before is not offered again.
 */
static bool protect_present(struct check *c, struct node *n, struct dest *d, struct err *e)
{
	struct plan *p = c->plan;
	if (!look_at(p, n->path, d, e))
		return false;
	const char *whole = arena_printf(&p->arena, "%s/%s", p->offset, n->path);
	bool same = n->type == d->type && strcmp(n->md5, d->md5) == 0;
	if (!same && unmodified(d, map_get(&p->old_by_real, n->real)))
		return true;
	if (same) {
		if (confmem_has(&p->memory, whole, d->md5))
			journal_add(&p->journal, JOURNAL_MEMORY, whole, "");
		return true;
	}
	if (confmem_has(&p->memory, whole, n->md5) && !c->ignore_confmem) {
		n->final = NULL;
		plan_note(p, "the update of %s was offered before and is left out", n->path);
		return true;
	}
	journal_add(&p->journal, JOURNAL_MEMORY, whole, n->md5);
	return offer(p, n, e);
}

static bool check_file(struct check *c, struct node *n, const struct stat *st, struct err *e)
{
	struct plan *p = c->plan;
	if (S_ISDIR(st->st_mode)) {
		check_against_dir(p, n);
		return true;
	}
	bool protectable = n->type == CONTENTS_OBJ || n->type == CONTENTS_SYM;
	if (!protectable || p->protect == NULL || !protect_has(p->protect, n->path)) {
		check_owner(c, n);
		return true;
	}
	struct dest d = { .st = *st };
	bool ok = protect_present(c, n, &d, e);
	free(d.target);
	return ok;
}

/* A protected file that the package had and the user removed comes back only as an offer. */
static bool check_absent(struct plan *p, struct node *n, struct err *e)
{
	n->absent = true;
	bool offered = n->md5 != NULL && p->protect != NULL && protect_has(p->protect, n->path) &&
		       map_get(&p->old_by_real, n->real) != NULL;
	return !offered || offer(p, n, e);
}

static bool check_node(struct check *c, struct node *n, struct err *e)
{
	struct stat st;
	if (fstatat(c->plan->root, n->path, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return fs_fail(e, "stat", c->plan->root, n->path);
		return check_absent(c->plan, n, e);
	}
	if (n->type != CONTENTS_DIR)
		return check_file(c, n, &st, e);
	check_dir(c->plan, n, &st);
	return true;
}

bool plan_check(struct plan *p, bool ignore_confmem, struct err *e)
{
	struct check c = { .plan = p, .ignore_confmem = ignore_confmem };
	bool ok = confmem_read(&p->memory, p->root, e);
	for (size_t i = 0; ok && i < p->nodes.n; i++) {
		if (p->nodes.v[i]->final != NULL)
			ok = check_node(&c, p->nodes.v[i], e);
	}
	if (c.unowned > 0)
		plan_note(p, "%zu files that no package owned are replaced: %s%s", c.unowned,
			buf_str(&c.unowned_names), c.unowned > UNOWNED_SHOWN ? ", …" : "");
	buf_fini(&c.unowned_names);
	return ok;
}
