/*
 * Landlock by its system calls (Linux 5.13 and later; documented in the kernel's
 * Documentation/userspace-api/landlock.rst). The host's headers may be older than its kernel, so
 * the constants of the interface stand here.
 */
#ifdef __linux__
#include "sandbox_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define CREATE_RULESET_VERSION 1U
#define RULE_PATH_BENEATH 1

#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_REMOVE_TO_MAKE_SYM (UINT64_C(0x1ff) << 4) /* remove dir, file; make char … symlink */
#define FS_REFER (UINT64_C(1) << 13) /* ABI 2 */
#define FS_TRUNCATE (UINT64_C(1) << 14) /* ABI 3 */
#define FS_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */
#define FS_OF_FILES (FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
#define NET_TCP UINT64_C(3) /* bind, connect; ABI 4 */
#define SCOPE_ALL UINT64_C(3) /* abstract sockets, signals; ABI 6 */

struct ruleset_attr {
	uint64_t fs, net, scoped;
};

struct path_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

int landlock_abi(struct err *e)
{
	long abi = syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
	if (abi < 0 && errno == EOPNOTSUPP)
		err_set(e, ERR_FAILED, "sandbox.landlock",
			"Landlock is switched off in this kernel");
	else if (abi < 0)
		err_sys(e, "sandbox.landlock", "this kernel has no Landlock");
	else if (abi == 1)
		/* Rename and link between directories fail with EXDEV there, whatever the rules. */
		err_set(e, ERR_FAILED, "sandbox.landlock",
			"this kernel's Landlock (ABI 1) forbids builds to rename between "
			"directories");
	return abi > 1 ? (int)abi : 0;
}

static uint64_t handled_fs(int abi)
{
	uint64_t fs = FS_WRITE_FILE | FS_REMOVE_TO_MAKE_SYM | FS_REFER;
	return fs | (abi >= 3 ? FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0);
}

static bool allow(int ruleset, const char *path, uint64_t handled, struct err *e)
{
	struct stat st;
	struct path_attr rule = { .fd = open(path, O_PATH | O_CLOEXEC) };
	bool ok = rule.fd >= 0 && fstat(rule.fd, &st) == 0;
	if (ok) {
		rule.allowed = S_ISDIR(st.st_mode) ? handled : handled & FS_OF_FILES;
		ok = syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
	}
	if (!ok)
		err_sys(e, "sandbox.allow", "cannot let builds write to %s", path);
	if (rule.fd >= 0)
		close(rule.fd);
	return ok;
}

static bool allow_all(
	int ruleset, const struct landlock_wish *wish, uint64_t handled, struct err *e)
{
	/* What programs write to without leaving anything behind. */
	static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/tty",
		"/dev/ptmx", "/dev/pts", "/dev/shm", NULL };
	if (!wish->files || wish->writable == NULL)
		return true;
	for (const char *const *p = devices; *p != NULL; p++) {
		if (access(*p, F_OK) == 0 && !allow(ruleset, *p, handled, e))
			return false;
	}
	for (const char *const *p = wish->writable; *p != NULL; p++) {
		if (!allow(ruleset, *p, handled, e))
			return false;
	}
	return true;
}

bool landlock_enter(const struct landlock_wish *wish, int abi, struct err *e)
{
	struct ruleset_attr attr = {
		.fs = wish->files ? handled_fs(abi) : 0,
		.net = wish->no_tcp && abi >= 4 ? NET_TCP : 0,
		.scoped = wish->files && abi >= 6 ? SCOPE_ALL : 0,
	};
	/* A kernel that knows fewer fields takes the longer struct as long as those are zero. */
	int ruleset = (int)syscall(CALL_CREATE_RULESET, &attr, sizeof attr, 0);
	if (ruleset < 0)
		return err_sys(e, "sandbox.landlock", "cannot make a Landlock ruleset");
	bool ok = allow_all(ruleset, wish, attr.fs, e);
	if (ok && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
			  syscall(CALL_RESTRICT_SELF, ruleset, 0) != 0))
		ok = err_sys(e, "sandbox.landlock", "cannot enter the Landlock sandbox");
	close(ruleset);
	return ok;
}
#else
typedef int sandbox_landlock_is_for_linux;
#endif
