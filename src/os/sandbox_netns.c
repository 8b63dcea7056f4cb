#ifdef __linux__
#include "sandbox_int.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static bool write_proc(const char *path, const char *text, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t n = strlen(text);
	bool ok = fd >= 0 && write(fd, text, n) == (ssize_t)n;
	if (!ok)
		err_sys(e, "sandbox.namespace", "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* The same numbers inside as outside: a build sees the user it runs as. */
static bool map_same(uid_t uid, gid_t gid, struct err *e)
{
	char uids[64], gids[64];
	snprintf(uids, sizeof uids, "%lu %lu 1", (unsigned long)uid, (unsigned long)uid);
	snprintf(gids, sizeof gids, "%lu %lu 1", (unsigned long)gid, (unsigned long)gid);
	/* An ordinary user may map a group only after giving up setgroups (user_namespaces(7)). */
	return write_proc("/proc/self/setgroups", "deny", e) &&
	       write_proc("/proc/self/gid_map", gids, e) &&
	       write_proc("/proc/self/uid_map", uids, e);
}

static bool loopback_up(struct err *e)
{
	struct ifreq req = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool ok = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &req) == 0;
	req.ifr_flags |= IFF_UP;
	ok = ok && ioctl(fd, SIOCSIFFLAGS, &req) == 0;
	if (!ok)
		err_sys(e, "sandbox.loopback", "cannot bring up the loopback device");
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool why_not(bool user, struct err *e)
{
	const char *kind = user ? "user" : "network";
	if (errno == EPERM || errno == EACCES)
		return err_sys(e, "sandbox.namespace",
			"%s namespaces are forbidden here (by a container, AppArmor or sysctl)",
			kind);
	if (errno == ENOSPC || errno == EUSERS)
		return err_sys(e, "sandbox.namespace",
			"no more %s namespaces (sysctl user.max_%s_namespaces)", kind,
			user ? "user" : "net");
	return err_sys(e, "sandbox.namespace", "this kernel has no %s namespaces", kind);
}

bool netns_enter(bool with_user_namespace, struct err *e)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int flags = CLONE_NEWNET | (with_user_namespace ? CLONE_NEWUSER : 0);
	if (unshare(flags) != 0)
		return why_not(with_user_namespace, e);
	return (!with_user_namespace || map_same(uid, gid, e)) && loopback_up(e);
}
#else
typedef int sandbox_netns_is_for_linux;
#endif
