#ifndef TESTS_UNIT_IMAGE_TREE_H
#define TESTS_UNIT_IMAGE_TREE_H

/* Small trees for the tests of merging: made from a text, printed as one. */
#include "digest.h"
#include "fs.h"
#include "image.h"
#include "map.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define OFFSET "/opt/pre fix" /* of the roots in these tests */

/*
 * Make what the lines of text say, below dir. Fields end at "|" (so that names may have spaces):
 *   d|PATH|MODE   f|PATH|MODE|CONTENT   l|PATH|TARGET   h|PATH|EXISTING   p|PATH
 * Parents are made. Each file and symlink gets a time of its own, derived from its path.
 */
static inline void tree_time(int at, const char *path)
{
	uint64_t h = map_hash(str_of(path));
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
		{ .tv_sec = 1500000000 + (time_t)(h % 1000000),
			.tv_nsec = (long)(h % 999999937) } };
	utimensat(at, path, times, AT_SYMLINK_NOFOLLOW);
}

static inline char *tree_field(struct str *rest)
{
	struct str part = { "", 0 };
	str_split(rest, '|', &part);
	return xstrndup(part.p, part.n);
}

/* Not fs_write: hundreds of trees need not wait for the disk. */
static inline bool tree_write(int at, const char *path, struct str text, mode_t mode)
{
	int fd = openat(at, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && write(fd, text.p != NULL ? text.p : "", text.n) == (ssize_t)text.n;
	ok = ok && fchmod(fd, mode) == 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

static inline void tree_line(int at, struct str line)
{
	struct err e = ERR_INIT;
	char *verb = tree_field(&line), *path = tree_field(&line), *third = tree_field(&line);
	char *parent = path_dir(path);
	bool ok = fs_mkdirs(at, parent, 0755, &e);
	switch (verb[0]) {
	case 'd':
		ok = ok && fs_mkdirs(at, path, 0755, &e) &&
		     fchmodat(at, path, (mode_t)strtoul(third, NULL, 8), 0) == 0;
		break;
	case 'f':
		ok = ok && tree_write(at, path, line, (mode_t)strtoul(third, NULL, 8));
		break;
	case 'l':
		ok = ok && symlinkat(third, at, path) == 0;
		break;
	case 'h':
		ok = ok && linkat(at, third, at, path, 0) == 0;
		break;
	case 'p':
		ok = ok && mkfifoat(at, path, 0644) == 0;
		break;
	default:
		ok = false;
	}
	if (!ok)
		test_fail(__FILE__, __LINE__, "cannot make %s %s: %s", verb, path, e.message);
	if (verb[0] == 'f' || verb[0] == 'l' || verb[0] == 'p')
		tree_time(at, path);
	free(verb);
	free(path);
	free(third);
	free(parent);
}

static inline void tree_make(const char *dir, const char *text)
{
	struct err e = ERR_INIT;
	struct str rest = str_of(text), line;
	int at = -1;
	if (!fs_mkdirs(AT_FDCWD, dir, 0755, &e) || !fs_open_dir(AT_FDCWD, dir, &at, &e))
		abort();
	while (str_split(&rest, '\n', &line)) {
		if (line.n > 0)
			tree_line(at, line);
	}
	close(at);
}

struct tree_print {
	struct buf *out;
	const char *const *skip;
	VEC(struct stat) seen;
	struct strv names;
};

/* The first name of the same inode, or "". */
static inline const char *tree_twin(struct tree_print *t, const struct fs_entry *entry)
{
	for (size_t i = 0; i < t->seen.n; i++) {
		if (t->seen.v[i].st_ino == entry->st.st_ino &&
			t->seen.v[i].st_dev == entry->st.st_dev)
			return t->names.v[i];
	}
	vec_push(&t->seen, entry->st);
	strv_push(&t->names, entry->path);
	return "";
}

static inline bool tree_skipped(const char *const *skip, const char *path)
{
	for (; skip != NULL && *skip != NULL; skip++) {
		size_t n = strlen(*skip);
		if (strncmp(path, *skip, n) == 0 && (path[n] == '/' || path[n] == '\0'))
			return true;
	}
	return false;
}

static inline bool tree_visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct tree_print *t = ctx;
	char hex[DIGEST_HEX_MAX] = "";
	if (tree_skipped(t->skip, entry->path))
		return true;
	buf_printf(t->out, "%s %o", entry->path, (unsigned)entry->st.st_mode);
	if (!S_ISDIR(entry->st.st_mode))
		buf_printf(t->out, " %lld.%09ld", (long long)entry->st.st_mtim.tv_sec,
			entry->st.st_mtim.tv_nsec);
	if (S_ISREG(entry->st.st_mode)) {
		if (!digest_file(entry->at, entry->path, DIGEST_MD5, hex, e))
			return false;
		buf_printf(t->out, " %s %s", hex, tree_twin(t, entry));
	}
	if (S_ISLNK(entry->st.st_mode)) {
		char *target = fs_readlink(entry->at, entry->path, e);
		buf_printf(t->out, " -> %s", target != NULL ? target : "?");
		free(target);
	}
	buf_addc(t->out, '\n');
	return true;
}

/* Everything below dir but skip (NULL-terminated paths), for comparison. Caller's own string. */
static inline char *tree_text(const char *dir, const char *const *skip)
{
	struct err e = ERR_INIT;
	struct buf out = BUF_INIT;
	struct tree_print t = { .out = &out, .skip = skip };
	if (!fs_walk(AT_FDCWD, dir, tree_visit, &t, &e))
		test_fail(__FILE__, __LINE__, "%s", e.message);
	vec_fini(&t.seen);
	strv_fini(&t.names);
	return buf_take(&out);
}

/* Where a merge keeps what is no file of a package. */
static const char *const tree_state[] = { "var/db/pkg", "var/cache/edb", "var/lib/eprefix",
	"var/lib/portage/config", NULL };

/* The directories a prefix always has. */
#define TREE_PREFIX                                                                                \
	"d|var/db/pkg|755\nd|var/cache/edb|755\nd|var/lib/eprefix|755\nd|var/lib/portage|755\n"

/* A root and an image below one directory. */
struct world_of_test {
	char *dir, *root_path, *image;
	int root;
};

static inline struct world_of_test tree_world(const char *root_text)
{
	struct err e = ERR_INIT;
	struct world_of_test w = { .dir = xstrdup(test_dir()), .root = -1 };
	w.root_path = xasprintf("%s/root", w.dir);
	w.image = xasprintf("%s/image", w.dir);
	tree_make(w.root_path, TREE_PREFIX);
	tree_make(w.root_path, root_text);
	CHECK_OK(fs_open_dir(AT_FDCWD, w.root_path, &w.root, &e), e);
	return w;
}

static inline void tree_world_end(struct world_of_test *w)
{
	close(w->root);
	free(w->dir);
	free(w->root_path);
	free(w->image);
}

/* A new image, in place of the last one. */
static inline void tree_image(const struct world_of_test *w, const char *text)
{
	struct err e = ERR_INIT;
	char *start = xasprintf("%s%s", w->image, OFFSET);
	CHECK_OK(fs_remove_tree(AT_FDCWD, w->image, &e), e);
	tree_make(start, text);
	free(start);
}

#endif
