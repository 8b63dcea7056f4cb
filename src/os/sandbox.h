#ifndef OS_SANDBOX_H
#define OS_SANDBOX_H

#include "err.h"
#include "str.h"

#include <stddef.h>

/*
 * What a build may do: write below these directories (and /dev/null, ptys, /dev/shm), network or
 * not. Reading and executing are free. A file in place of a directory may be written itself.
 */
struct sandbox {
	const char *const *writable; /* NULL-terminated absolute paths that exist */
	bool network;
};

/* How the network is kept away. */
enum sandbox_net {
	SANDBOX_NET_NONE,
	SANDBOX_NET_NAMESPACE, /* a network namespace with just a loopback device (as real root) */
	SANDBOX_NET_USER_NAMESPACE, /* the same inside a user namespace */
	SANDBOX_NET_LANDLOCK, /* no TCP; UDP is not covered */
	SANDBOX_NET_SEATBELT, /* macOS */
};

/* What this kernel grants this user; found by trying in a child, each run anew. */
struct sandbox_support {
	bool files; /* Landlock (Linux), sandbox_init (macOS) */
	bool network; /* namespaces, or Landlock's TCP rules */
	int landlock_abi; /* 0: none */
	enum sandbox_net net_by;
	char files_how[160]; /* "Landlock ABI 6", or why not */
	char network_how[160];
};
/* Tries on the first call of the process and remembers (children of fork inherit the answer). */
void sandbox_probe(struct sandbox_support *s);

/* Append one line (no newline) that says which protection is lost and why; nothing when none is. */
void sandbox_lost(const struct sandbox_support *s, struct buf *out);

/*
 * Confine the calling process (a child between fork and exec) for good, as far as support says that
 * it can be done.
 */
bool sandbox_enter(const struct sandbox *s, const struct sandbox_support *support, struct err *e);

#endif
