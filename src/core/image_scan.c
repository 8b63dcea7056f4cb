/* The image: what is in it, and what no record can hold. */
#include "digest.h"
#include "image_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct scan {
	struct plan *plan;
	const char *image;
};

/* Printable, for a message: names that are refused may hold anything. */
static char *shown(const char *s)
{
	struct buf out = BUF_INIT;
	buf_json(&out, str_of(s));
	return buf_take(&out);
}

/* What a line of CONTENTS cannot say, or not so that it can be read again; NULL: nothing. */
static const char *unwritable(const struct node *n)
{
	if (strpbrk(n->path, "\n\r") != NULL)
		return "a line break in its name";
	if (n->target == NULL)
		return NULL;
	if (strpbrk(n->target, "\n\r") != NULL)
		return "a line break in the target of the symlink";
	return strstr(n->target, " -> ") != NULL ? "\" -> \" in the target of the symlink" : NULL;
}

static void refuse_name(struct plan *p, const struct node *n)
{
	char *name = shown(n->path);
	plan_problem(p, "%s has %s, which CONTENTS cannot hold", name, unwritable(n));
	free(name);
}

static const char *md5_of(struct plan *p, int at, const struct node *n, struct err *e)
{
	char hex[DIGEST_HEX_MAX];
	if (n->type == CONTENTS_SYM)
		digest_bytes(n->target, strlen(n->target), DIGEST_MD5, hex);
	else if (!digest_file(at, n->path, DIGEST_MD5, hex, e))
		return NULL;
	return arena_strdup(&p->arena, hex);
}

/* A target that leads into the image means the same place in the root. */
static bool read_target(const struct scan *s, int at, struct node *n, struct err *e)
{
	char *target = fs_readlink(at, n->path, e);
	if (target == NULL)
		return false;
	size_t len = strlen(s->image);
	bool inside = strncmp(target, s->image, len) == 0 && target[len] == '/';
	n->target = arena_strdup(&s->plan->arena, inside ? target + len : target);
	free(target);
	return true;
}

static bool classify(struct node *n, mode_t mode)
{
	if (S_ISDIR(mode))
		n->type = CONTENTS_DIR;
	else if (S_ISREG(mode))
		n->type = CONTENTS_OBJ;
	else if (S_ISLNK(mode))
		n->type = CONTENTS_SYM;
	else if (S_ISFIFO(mode))
		n->type = CONTENTS_FIF;
	else
		return false;
	return true;
}

static bool same_thing(const struct node *a, const struct node *b)
{
	if (a->type != b->type || a->type == CONTENTS_FIF)
		return false;
	return a->type == CONTENTS_DIR || strcmp(a->md5, b->md5) == 0;
}

/* Two names of the image may be one in the root, where a directory is a symlink there. */
static void add_node(struct plan *p, struct node *n)
{
	struct node *twin = map_get(&p->by_real, n->real);
	if (twin != NULL && !same_thing(twin, n))
		plan_problem(p,
			"%s and %s are one place in the root (a directory there is a symlink), "
			"but differ in the image",
			twin->path, n->path);
	if (twin == NULL)
		map_set(&p->by_real, n->real, n);
	n->final = twin == NULL ? n->path : NULL;
	vec_push(&p->nodes, n);
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	const struct scan *s = ctx;
	struct plan *p = s->plan;
	struct node *n = arena_calloc(&p->arena, 1, sizeof *n);
	n->path = arena_strdup(&p->arena, entry->path);
	n->st = entry->st;
	if (!classify(n, entry->st.st_mode)) {
		plan_problem(p, "%s is a device or a socket, which an ordinary user cannot install",
			n->path);
		return true;
	}
	if (n->type == CONTENTS_SYM && !read_target(s, entry->at, n, e))
		return false;
	if (unwritable(n) != NULL) {
		refuse_name(p, n);
		return true;
	}
	if (n->type == CONTENTS_OBJ || n->type == CONTENTS_SYM) {
		n->md5 = md5_of(p, entry->at, n, e);
		if (n->md5 == NULL)
			return false;
	}
	n->real = rootmap_real(&p->where, str_of(n->path));
	add_node(p, n);
	return true;
}

/* Everything on the way from D to D/offset has to lie on it. */
static bool check_outside(struct plan *p, int image, struct err *e)
{
	struct buf at = BUF_INIT;
	struct str rest = str_of(p->offset), part;
	bool ok = true;
	buf_adds(&at, ".");
	while (ok && fs_is_dir(image, buf_str(&at)) && str_split(&rest, '/', &part)) {
		struct strv names = STRV_INIT;
		if (part.n == 0)
			continue;
		ok = fs_list(image, buf_str(&at), &names, e);
		for (size_t i = 0; i < names.n; i++) {
			if (!str_is(part, names.v[i]))
				plan_problem(p,
					"%s/%s in the image is not below %s: the package "
					"ignores its prefix",
					at.p + 1, names.v[i], p->offset);
		}
		strv_fini(&names);
		buf_addc(&at, '/');
		buf_add_str(&at, part);
	}
	buf_fini(&at);
	return ok;
}

bool plan_scan(struct plan *p, const char *image, struct err *e)
{
	struct scan s = { p, image };
	int fd = -1;
	if (!fs_open_dir(AT_FDCWD, image, &fd, e))
		return false;
	const char *start = p->offset[0] == '/' ? p->offset + 1 : ".";
	bool ok = check_outside(p, fd, e) &&
		  (!fs_is_dir(fd, start) || fs_walk(fd, start, visit, &s, e));
	close(fd);
	return ok;
}

static bool add_size(void *ctx, const struct fs_entry *entry, struct err *e)
{
	uint64_t *bytes = ctx;
	(void)e;
	if (S_ISREG(entry->st.st_mode))
		*bytes += (uint64_t)entry->st.st_size;
	return true;
}

bool image_size(const char *image, uint64_t *bytes, struct err *e)
{
	*bytes = 0;
	return fs_walk(AT_FDCWD, image, add_size, bytes, e);
}
