#ifndef OS_LOCK_OWNER_H
#define OS_LOCK_OWNER_H

#include "str.h"

/* Who holds a lock, as the lock file says: "pid=… host=… boot=… start=…". */
struct lock_owner {
	long pid; /* 0: nothing readable in the file */
	char host[256];
	char boot[64]; /* the kernel's boot id, "-" where there is none */
	unsigned long long start; /* the process's start in clock ticks since boot, 0 unknown */
};

/* This process. */
struct lock_owner lock_owner_self(void);
/* From and to the text of a lock file (one line). */
struct lock_owner lock_owner_parse(struct str text);
void lock_owner_print(const struct lock_owner *o, struct buf *out);
/* Certainly gone: of this host, and the process ended or the machine was booted since. */
bool lock_owner_gone(const struct lock_owner *o);

#endif
