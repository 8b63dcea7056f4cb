#ifndef OS_ATTR_H
#define OS_ATTR_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* What a file is, as opposed to what it holds (fs.h). Paths are relative to the descriptor `at`. */

/* lstat, or stat when follow. e->sys is ENOENT or ENOTDIR when nothing is there. */
bool attr_stat(int at, const char *path, bool follow, struct stat *st, struct err *e);
/* Set the permission bits of a file or directory. */
bool attr_chmod(int at, const char *path, mode_t mode, struct err *e);
/* Set access and modification time; mtime NULL: now. A symlink's own, where the system can. */
bool attr_utime(int at, const char *path, const struct timespec *mtime, struct err *e);
/* Make `to` another name of the file `from`; something called `to` is replaced. */
bool attr_link(int at, const char *from, const char *to, struct err *e);
/* The first bytes of a file. */
struct head {
	char bytes[64];
	size_t n;
};
/* Follows symlinks. */
bool attr_head(int at, const char *path, struct head *head, struct err *e);
/* "file", "dir", "link", "fifo", "socket", "device". */
const char *attr_type(mode_t mode);
/* Write a whole line and a newline to a descriptor, for logs. */
bool attr_write_line(int fd, const char *text, size_t n, struct err *e);

#endif
