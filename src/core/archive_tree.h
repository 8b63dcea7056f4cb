#ifndef CORE_ARCHIVE_TREE_H
#define CORE_ARCHIVE_TREE_H

#include "err.h"
#include "str.h"
#include "vec.h"

#include <sys/types.h>
#include <time.h>

/*
 * Writing a tree that somebody else named, below one directory. Every path is walked from that
 * directory's descriptor, component by component, never through a symlink; what is in the way is
 * replaced, never written into. Paths must come from archive_name.
 */
struct archive_tree {
	int root; /* borrowed */
	int parent; /* the directory last written in, -1: none */
	char *parent_path;
	time_t now; /* no time later than this is set */
	VEC(struct archive_late) late; /* directories whose times are set at the end */
};

struct archive_late {
	char *path;
	struct timespec mtime;
};

/* What a member says of itself; sanitised here. */
struct archive_meta {
	mode_t mode;
	bool has_mtime;
	struct timespec mtime;
};

void archive_tree_init(struct archive_tree *t, int root);
/* Set the times of directories. */
void archive_tree_finish(struct archive_tree *t);
void archive_tree_fini(struct archive_tree *t);

bool archive_tree_dir(
	struct archive_tree *t, const char *path, const struct archive_meta *m, struct err *e);
/* A new empty file; *fd is the caller's, to be given to archive_tree_close after writing. */
bool archive_tree_file(struct archive_tree *t, const char *path, int *fd, struct err *e);
bool archive_tree_close(
	const struct archive_tree *t, int fd, const struct archive_meta *m, struct err *e);
bool archive_tree_symlink(struct archive_tree *t, const char *path, const char *target,
	const struct archive_meta *m, struct err *e);
/* Another name for the regular file `target`, a copy where the file system has no hard links. */
bool archive_tree_hardlink(
	struct archive_tree *t, const char *path, const char *target, struct err *e);
/* Open an existing regular file for rewriting; *fd as from archive_tree_file. */
bool archive_tree_reopen(struct archive_tree *t, const char *path, int *fd, struct err *e);

/*
 * The path of a member below the target: without "." and empty components and the first `strip`
 * ones, into *out, which is empty when nothing is left of it. False with "archive.unsafe" when it
 * is absolute or holds "..".
 */
bool archive_name(const char *raw, unsigned strip, struct buf *out, struct err *e);
/* Does one of the NULL-terminated globs match the path or a directory above it? */
bool archive_matches(const char *const *globs, const char *path);
/* For messages: control characters become "?". The caller's own string. */
char *archive_show(const char *name);

#endif
