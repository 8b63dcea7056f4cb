#ifndef OS_FS_H
#define OS_FS_H

#include "err.h"
#include "str.h"
#include "vec.h"

#include <sys/stat.h>

/*
 * Files, relative to a directory descriptor `at` (AT_FDCWD for the working directory).
 * All return false with *e filled on failure. No function follows a final symlink unless it says
 * so.
 */

/*
 * Fill *e for a failed call on a file, from errno: "cannot VERB /full/path: why", and what to do
 * where the file system is full. what is the dotted name "fs.VERB". Returns false.
 */
bool fs_fail(struct err *e, const char *verb, int at, const char *path);
/* The path as people should see it: absolute where at's own path can be had. Caller's own string.
 */
char *fs_shown(int at, const char *path);

/* Open a directory; *fd is the caller's to close (O_CLOEXEC). Follows symlinks. */
bool fs_open_dir(int at, const char *path, int *fd, struct err *e);
/* Open a regular file to read it, also one of our own that its mode closes to us (its mode is as it
 * was afterwards). -1 with errno on failure. flags: O_NOFOLLOW or 0. */
int fs_open_read(int at, const char *path, int flags);
/* Append the whole file to *out. Follows symlinks. e->sys == ENOENT when it is not there. */
bool fs_read(int at, const char *path, struct buf *out, struct err *e);
/*
 * Write aside, fsync, rename: path holds either the old or the whole new content. The mode is set
 * as given, whatever the umask. A leftover of a killed writer is reused by the next one of the same
 * path.
 */
bool fs_write(int at, const char *path, const void *data, size_t n, mode_t mode, struct err *e);
/* The same, but leaves the file untouched when it already holds just this. */
bool fs_write_if_changed(
	int at, const char *path, const void *data, size_t n, mode_t mode, struct err *e);
/* Create path and its missing parents; existing directories (or symlinks to them) are fine. */
bool fs_mkdirs(int at, const char *path, mode_t mode, struct err *e);
/* Remove a file or symlink; an absent one is fine. */
bool fs_unlink(int at, const char *path, struct err *e);
/* Remove whatever is there, with all below it, also out of read-only directories; absent is fine.
 */
bool fs_remove_tree(int at, const char *path, struct err *e);
/* Anything of that name, also a dangling symlink. */
bool fs_exists(int at, const char *path);
bool fs_is_dir(int at, const char *path); /* follows symlinks */
bool fs_rename(int at, const char *from, const char *to, struct err *e);
/* Make path a symlink to target, replacing a file or symlink in one rename. */
bool fs_symlink(const char *target, int at, const char *path, struct err *e);
/* Copy a regular file's content, mode bits (0777) and mtime (ns); written aside and renamed. */
bool fs_copy(int from_at, const char *from, int to_at, const char *to, struct err *e);
/* Names in a directory, sorted by bytes, without "." and "..". */
bool fs_list(int at, const char *path, struct strv *names, struct err *e);
/* Target of a symlink as the caller's own string, NULL with *e filled on failure. */
char *fs_readlink(int at, const char *path, struct err *e);
/* Physical path as the caller's own string (realpath), NULL with *e filled on failure. */
char *fs_real(const char *path, struct err *e);
/* mkfifoat(), also where the system lacks it: 0, or -1 with errno set. */
int fs_fifo(int at, const char *path, mode_t mode);
/* fsync a directory, so that renames in it last. Errors of file systems that cannot are ignored. */
void fs_sync_dir(int at, const char *path);

/* One visited entry: path is relative to the walk's start ("" for the start itself is not visited).
 */
struct fs_entry {
	int at; /* descriptor of the walk's start */
	const char *path; /* borrowed */
	struct stat st; /* lstat */
};
typedef bool fs_visit(void *ctx, const struct fs_entry *entry, struct err *e);
/* Visit every entry below path, parents before children, sorted by bytes; symlinks not followed. */
bool fs_walk(int at, const char *path, fs_visit *visit, void *ctx, struct err *e);

/* "a/b" from its parts as the caller's own string; b absolute means just b. */
char *path_join(const char *a, const char *b);
/* Lexical: no "//", ".", "..", trailing "/"; keeps absolute or relative. Caller's own string. */
char *path_clean(const char *path);
/* What follows the last "/", borrowed from path. */
const char *path_base(const char *path);
/* What precedes the last "/" ("." when there is none, "/" at the root). Caller's own string. */
char *path_dir(const char *path);

#endif
