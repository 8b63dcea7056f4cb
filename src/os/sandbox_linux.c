#ifdef __linux__
#include "sandbox_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef bool attempt(int arg, struct err *e);

/* Run an attempt in a child, because there is no way back from it. */
static bool in_child(attempt *try, int arg, struct err *e)
{
	int fd[2], status = 0;
	struct err said = ERR_INIT;
	if (pipe2(fd, O_CLOEXEC) != 0)
		return err_sys(e, "sandbox.probe", "cannot make a pipe");
	pid_t pid = fork();
	if (pid == 0) {
		bool ok = try(arg, &said);
		_exit(!ok && write(fd[1], &said, sizeof said) < 0 ? 2 : !ok);
	}
	close(fd[1]);
	bool told = pid > 0 && read(fd[0], &said, sizeof said) == (ssize_t)sizeof said;
	close(fd[0]);
	if (pid < 0)
		return err_sys(e, "sandbox.probe", "cannot start a process");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (told)
		*e = said;
	else if (status != 0)
		err_set(e, ERR_FAILED, "sandbox.probe", "the attempt was killed");
	return e->code == ERR_NONE;
}

/* With no rule at all nothing may be opened for writing. */
static bool try_files(int abi, struct err *e)
{
	struct landlock_wish nothing = { .files = true };
	if (!landlock_enter(&nothing, abi, e))
		return false;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		return true;
	if (fd >= 0)
		close(fd);
	return err_set(e, ERR_FAILED, "sandbox.probe", "Landlock has no effect here");
}

static bool try_net(int with_user_namespace, struct err *e)
{
	return netns_enter(with_user_namespace != 0, e);
}

static bool try_tcp(int abi, struct err *e)
{
	struct landlock_wish no_tcp = { .no_tcp = true };
	return landlock_enter(&no_tcp, abi, e);
}

static void probe_network(struct sandbox_support *s)
{
	struct err direct = ERR_INIT, user = ERR_INIT, tcp = ERR_INIT;
	s->network = true;
	if (in_child(try_net, 0, &direct)) {
		s->net_by = SANDBOX_NET_NAMESPACE;
		snprintf(s->network_how, sizeof s->network_how, "network namespace");
	} else if (in_child(try_net, 1, &user)) {
		s->net_by = SANDBOX_NET_USER_NAMESPACE;
		snprintf(s->network_how, sizeof s->network_how, "user and network namespace");
	} else if (s->landlock_abi >= 4 && in_child(try_tcp, s->landlock_abi, &tcp)) {
		s->net_by = SANDBOX_NET_LANDLOCK;
		snprintf(s->network_how, sizeof s->network_how,
			"only Landlock's TCP rules, since %.110s", user.message);
	} else {
		s->network = false;
		snprintf(s->network_how, sizeof s->network_how, "%.150s", user.message);
	}
}

void sandbox_os_probe(struct sandbox_support *s)
{
	struct err e = ERR_INIT;
	*s = (struct sandbox_support){ .landlock_abi = landlock_abi(&e) };
	s->files = s->landlock_abi > 0 && in_child(try_files, s->landlock_abi, &e);
	if (s->files)
		snprintf(s->files_how, sizeof s->files_how, "Landlock ABI %d", s->landlock_abi);
	else
		snprintf(s->files_how, sizeof s->files_how, "%.150s", e.message);
	probe_network(s);
}

bool sandbox_os_enter(const struct sandbox *s, const struct sandbox_support *support, struct err *e)
{
	enum sandbox_net net = s->network ? SANDBOX_NET_NONE : support->net_by;
	struct landlock_wish wish = { .writable = s->writable,
		.files = support->files,
		.no_tcp = net == SANDBOX_NET_LANDLOCK };
	/* First the namespaces: their maps are written below /proc, which Landlock then forbids. */
	if ((net == SANDBOX_NET_NAMESPACE || net == SANDBOX_NET_USER_NAMESPACE) &&
		!netns_enter(net == SANDBOX_NET_USER_NAMESPACE, e))
		return false;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return err_sys(e, "sandbox.privileges", "cannot give up new privileges");
	return (!wish.files && !wish.no_tcp) || landlock_enter(&wish, support->landlock_abi, e);
}
#else
typedef int sandbox_linux_is_for_linux;
#endif
