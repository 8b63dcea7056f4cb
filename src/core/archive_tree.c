#include "archive_tree.h"

#include "mem.h"
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
/* Nobody but the owner writes, whatever the archive or the caller's umask say. */
#define MODE_MASK ((mode_t)0755)

void archive_tree_init(struct archive_tree *t, int root)
{
	*t = (struct archive_tree){ .root = root, .parent = -1, .now = time(NULL) };
}

static void forget_parent(struct archive_tree *t)
{
	if (t->parent >= 0)
		close(t->parent);
	t->parent = -1;
	free(t->parent_path);
	t->parent_path = NULL;
}

/* Say why a component of path could not be entered. */
static bool not_entered(int dir, const char *name, const char *path, struct err *e)
{
	int sys = errno;
	struct stat st;
	bool there = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (there && S_ISLNK(st.st_mode))
		return err_set(e, ERR_FAILED, "archive.unsafe",
			"it would be written through the symlink \"%s\"", path);
	if (there && !S_ISDIR(st.st_mode))
		return err_set(e, ERR_FAILED, "archive.unsafe",
			"\"%s\" above it is not a directory", path);
	errno = sys;
	return err_sys(e, "archive.write", "entering the directory \"%s\"", path);
}

/* Open the directory `name` in dir, without following a symlink; make it if asked and absent. */
static int enter(int dir, const char *name, bool create)
{
	int fd = openat(dir, name, DIR_FLAGS);
	if (fd >= 0 || errno != ENOENT || !create)
		return fd;
	if (mkdirat(dir, name, 0755) != 0 && errno != EEXIST)
		return -1;
	fd = openat(dir, name, DIR_FLAGS);
	if (fd >= 0)
		(void)fchmod(fd, MODE_MASK); /* undoes a strict umask */
	return fd;
}

/* Descriptor of the directory dir_path below the root, the caller's; -1 with *e filled. */
static int walk(struct archive_tree *t, const char *dir_path, bool create, struct err *e)
{
	int fd = fcntl(t->root, F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		err_sys(e, "archive.write", "opening the target directory");
		return -1;
	}
	struct str rest = str_of(dir_path), part;
	while (str_split(&rest, '/', &part)) {
		char *name = xstrndup(part.p, part.n);
		int next = enter(fd, name, create);
		if (next < 0) {
			char *path = xstrndup(dir_path, (size_t)(part.p - dir_path) + part.n);
			not_entered(fd, name, path, e);
			free(path);
		}
		free(name);
		close(fd);
		if (next < 0)
			return -1;
		fd = next;
	}
	return fd;
}

/* Split a clean path into the open directory it is in and its last component. */
static bool in_parent(struct archive_tree *t, const char *path, const char **name, struct err *e)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash != NULL ? (size_t)(slash - path) : 0;
	*name = slash != NULL ? slash + 1 : path;
	if (t->parent >= 0 && strlen(t->parent_path) == n && memcmp(t->parent_path, path, n) == 0)
		return true;
	forget_parent(t);
	char *dir = xstrndup(path, n);
	t->parent = walk(t, dir, true, e);
	t->parent_path = dir;
	if (t->parent < 0)
		forget_parent(t);
	return t->parent >= 0;
}

/* Make the name free. A directory goes only when it is empty. */
static bool make_room(struct archive_tree *t, const char *name, struct err *e)
{
	struct stat st;
	if (fstatat(t->parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT || err_sys(e, "archive.write", "looking at \"%s\"", name);
	if (unlinkat(t->parent, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) == 0)
		return true;
	if (S_ISDIR(st.st_mode) && (errno == ENOTEMPTY || errno == EEXIST))
		return err_set(e, ERR_FAILED, "archive.write",
			"a directory with content has its name already");
	return err_sys(e, "archive.write", "removing what has its name already");
}

/* No file may be newer than one that is generated from it (field report F80). */
static struct timespec clamp(const struct archive_tree *t, struct timespec when)
{
	struct timespec now = { .tv_sec = t->now };
	return when.tv_sec >= t->now ? now : when;
}

/* Times are a courtesy: a share that cannot set them does not fail the unpacking. */
static void set_mtime_at(int dir, const char *name, struct timespec when)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, when };
	(void)utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW);
}

bool archive_tree_dir(
	struct archive_tree *t, const char *path, const struct archive_meta *m, struct err *e)
{
	const char *name;
	struct stat st;
	if (!in_parent(t, path, &name, e))
		return false;
	bool there = fstatat(t->parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!(there && S_ISDIR(st.st_mode)) && !make_room(t, name, e))
		return false;
	int fd = enter(t->parent, name, true);
	if (fd < 0)
		return err_sys(e, "archive.write", "creating the directory");
	bool ok = fchmod(fd, (m->mode | 0700) & MODE_MASK) == 0 || errno == EPERM ||
		  errno == ENOTSUP || err_sys(e, "archive.write", "setting the mode");
	close(fd);
	if (ok && m->has_mtime)
		vec_push(&t->late, (struct archive_late){ xstrdup(path), clamp(t, m->mtime) });
	return ok;
}

bool archive_tree_file(struct archive_tree *t, const char *path, int *fd, struct err *e)
{
	const char *name;
	if (!in_parent(t, path, &name, e) || !make_room(t, name, e))
		return false;
	*fd = openat(t->parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return *fd >= 0 || err_sys(e, "archive.write", "creating the file");
}

bool archive_tree_close(
	const struct archive_tree *t, int fd, const struct archive_meta *m, struct err *e)
{
	bool ok = fchmod(fd, (m->mode | 0600) & MODE_MASK) == 0 || errno == EPERM ||
		  errno == ENOTSUP || err_sys(e, "archive.write", "setting the mode");
	if (m->has_mtime) {
		struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, clamp(t, m->mtime) };
		(void)futimens(fd, times);
	}
	/* Network file systems report a full disk or quota only here. */
	if (close(fd) != 0 && ok)
		ok = err_sys(e, "archive.write", "closing the file");
	return ok;
}

bool archive_tree_symlink(struct archive_tree *t, const char *path, const char *target,
	const struct archive_meta *m, struct err *e)
{
	const char *name;
	if (!in_parent(t, path, &name, e) || !make_room(t, name, e))
		return false;
	if (symlinkat(target, t->parent, name) != 0)
		return err_sys(e, "archive.write", "creating the symlink");
	if (m->has_mtime)
		set_mtime_at(t->parent, name, clamp(t, m->mtime));
	return true;
}

/* Open the directory of an existing member, which must be a regular file, not by a symlink. */
static bool find_file(
	struct archive_tree *t, const char *path, int *dir, const char **name, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char *dir_path = xstrndup(path, slash != NULL ? (size_t)(slash - path) : 0);
	struct stat st;
	*dir = walk(t, dir_path, false, e);
	free(dir_path);
	*name = slash != NULL ? slash + 1 : path;
	if (*dir < 0)
		return false;
	if (fstatat(*dir, *name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		return true;
	close(*dir);
	*dir = -1;
	return err_set(e, ERR_FAILED, "archive.unsafe",
		"it is a hard link to \"%s\", which is no file in the target directory", path);
}

bool archive_tree_hardlink(
	struct archive_tree *t, const char *path, const char *target, struct err *e)
{
	int dir;
	struct place p = { 0 };
	if (!find_file(t, target, &dir, &p.from, e))
		return false;
	bool ok = strcmp(path, target) == 0;
	if (!ok && in_parent(t, path, &p.to, e) && make_room(t, p.to, e)) {
		p.from_at = dir;
		p.to_at = t->parent;
		ok = place_file(&p, e);
	}
	close(dir);
	return ok;
}

bool archive_tree_reopen(struct archive_tree *t, const char *path, int *fd, struct err *e)
{
	int dir;
	const char *name;
	if (!find_file(t, path, &dir, &name, e))
		return false;
	*fd = openat(dir, name, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
	if (*fd < 0)
		err_sys(e, "archive.write", "opening the file");
	close(dir);
	return *fd >= 0;
}

void archive_tree_finish(struct archive_tree *t)
{
	for (size_t i = 0; i < t->late.n; i++) {
		struct err ignored = ERR_INIT;
		const char *name;
		/* A later member may have put something else in the directory's place. */
		if (in_parent(t, t->late.v[i].path, &name, &ignored))
			set_mtime_at(t->parent, name, t->late.v[i].mtime);
	}
}

void archive_tree_fini(struct archive_tree *t)
{
	forget_parent(t);
	for (size_t i = 0; i < t->late.n; i++)
		free(t->late.v[i].path);
	vec_fini(&t->late);
}
