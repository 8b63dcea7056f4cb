#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static bool is_kept(int fd, int pipe_end, const struct child_fds *keep)
{
	for (size_t i = 0; i < keep->n; i++) {
		if (keep->keep[i] == fd)
			return true;
	}
	return fd <= 2 || fd == pipe_end;
}

/* What the parent has open is not ours: the run lock must end with the parent. */
static void close_others(int pipe_end, const struct child_fds *keep)
{
	DIR *dir = opendir("/dev/fd");
	int own = dir != NULL ? dirfd(dir) : -1;
	long max = dir == NULL ? sysconf(_SC_OPEN_MAX) : 0;
	for (struct dirent *d; dir != NULL && (d = readdir(dir)) != NULL;) {
		int fd = (int)strtol(d->d_name, NULL, 10);
		if (fd != own && d->d_name[0] != '.' && !is_kept(fd, pipe_end, keep))
			close(fd);
	}
	if (dir != NULL)
		closedir(dir);
	for (int fd = 3; fd < max && fd < 65536; fd++) {
		if (!is_kept(fd, pipe_end, keep))
			close(fd);
	}
}

static void settle(pid_t parent, int pipe_end, const struct child_fds *keep)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;
	setsid();
	for (int sig = 1; sig < 32; sig++)
		sigaction(sig, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	/* The parent may have died before we asked to be told. */
	if (getppid() != parent)
		_exit(1);
	int null = open("/dev/null", O_RDONLY);
	if (null >= 0 && dup2(null, 0) < 0)
		_exit(1);
	if (null > 2)
		close(null);
	close_others(pipe_end, keep);
}

pid_t child_fork(int *fd, const struct child_fds *keep, struct err *e)
{
	int ends[2];
	pid_t parent = getpid();
	sigset_t all, old;
	sigfillset(&all);
	if (pipe(ends) != 0) {
		err_sys(e, "run.pipe", "making a pipe to a worker");
		return -1;
	}
	/* A signal to the child between fork and settle() must not meet our handlers. */
	sigprocmask(SIG_BLOCK, &all, &old);
	pid_t pid = fork();
	if (pid < 0)
		err_sys(e, "run.fork", "starting a worker process");
	if (pid == 0) {
		*fd = ends[1];
		settle(parent, ends[1], keep);
		fcntl(ends[1], F_SETFD, FD_CLOEXEC);
		return 0;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -1;
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	*fd = ends[0];
	return pid;
}

bool child_read(int fd, void *message, size_t n)
{
	char *to = message;
	size_t got = 0;
	while (got < n) {
		ssize_t more = read(fd, to + got, n - got);
		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			return false;
		got += (size_t)more;
	}
	return true;
}
