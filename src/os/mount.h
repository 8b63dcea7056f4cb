#ifndef OS_MOUNT_H
#define OS_MOUNT_H

#include "str.h"

/* The mount that a path lies on. Empty value: all NULL. */
struct mount {
	char *dir, *type, *options;
};

#define MOUNT_INIT ((struct mount){ 0 })

/* Find it (path: absolute, physical, exists). False when the system does not tell. */
bool mount_of(const char *path, struct mount *m);
/* The same from the text of a mountinfo file (proc_pid_mountinfo(5)). */
bool mount_parse(const char *text, const char *path, struct mount *m);
void mount_fini(struct mount *m);

#endif
