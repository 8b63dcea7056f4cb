#ifndef OS_SANDBOX_INT_H
#define OS_SANDBOX_INT_H

#include "sandbox.h"

/* What each system brings: one sandbox_<system>.c is compiled. */
void sandbox_os_probe(struct sandbox_support *s);
bool sandbox_os_enter(
	const struct sandbox *s, const struct sandbox_support *support, struct err *e);

/* Linux: sandbox_landlock.c and sandbox_netns.c. */
struct landlock_wish {
	const char *const
		*writable; /* as in struct sandbox; NULL: nothing at all, not even /dev/null */
	bool files, no_tcp;
};
/* The kernel's Landlock ABI, or 0 with *e saying why there is none. */
int landlock_abi(struct err *e);
bool landlock_enter(const struct landlock_wish *wish, int abi, struct err *e);
/* Leave the network for a namespace with only a loopback device, which is up. */
bool netns_enter(bool with_user_namespace, struct err *e);

#endif
