#include "proc_int.h"

#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static bool in(const int *set, size_t n, int fd)
{
	for (size_t i = 0; i < n; i++) {
		if (set[i] == fd)
			return true;
	}
	return false;
}

static void sweep_one(int fd, bool close_it)
{
	if (close_it)
		close(fd);
	else
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void proc_sweep_fds(const int *keep, size_t n, bool close_them)
{
	DIR *dir = opendir("/dev/fd");
	int own = dir != NULL ? dirfd(dir) : -1;
	for (struct dirent *d; dir != NULL && (d = readdir(dir)) != NULL;) {
		int fd = (int)strtol(d->d_name, NULL, 10);
		if (fd > 2 && fd != own && !in(keep, n, fd))
			sweep_one(fd, close_them);
	}
	if (dir != NULL)
		closedir(dir);
	long max = dir == NULL ? sysconf(_SC_OPEN_MAX) : 0;
	for (int fd = 3; fd < max && fd < 65536; fd++) {
		if (!in(keep, n, fd))
			sweep_one(fd, close_them);
	}
}

/* Ignored signals would stay ignored beyond exec. */
static void default_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	for (int sig = 1; sig < 32; sig++)
		sigaction(sig, &action, NULL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool set_up_fds(const struct proc_spec *spec, const struct proc_pipes *p, struct err *e)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null < 0)
		return err_sys(e, "proc.stdin", "cannot open /dev/null");
	if (dup2(null, 0) < 0 || dup2(p->out[1], 1) < 0 || dup2(p->err[1], 2) < 0)
		return err_sys(e, "proc.fd", "cannot set up the standard descriptors");
	proc_sweep_fds(spec->keep_fds, spec->n_keep_fds, false);
	for (size_t i = 0; i < spec->n_keep_fds; i++)
		fcntl(spec->keep_fds[i], F_SETFD, 0);
	return true;
}

static bool confine(const struct proc_spec *spec, struct err *e)
{
	struct sandbox_support support;
	if (spec->sandbox == NULL)
		return true;
	sandbox_probe(&support);
	return sandbox_enter(spec->sandbox, &support, e);
}

static const char *exec_hint(int error, const char *path)
{
	if (error == ENOENT && access(path, F_OK) == 0)
		return " (the interpreter it names is not there)";
	if (error == ENOEXEC)
		return " (not for this machine, or a script without a #! line or with one that is "
		       "longer "
		       "than this kernel allows)";
	if (error == EACCES)
		return " (not executable, or on a file system mounted noexec)";
	return "";
}

bool proc_exec(const char *const *argv, const char *const *env, struct err *e)
{
	proc_sweep_fds(NULL, 0, false);
	execve(argv[0], (char *const *)argv, (char *const *)env);
	int error = errno;
	return err_set(e, ERR_FAILED, "proc.exec", "cannot run %s: %s%s", argv[0], strerror(error),
		exec_hint(error, argv[0]));
}

static bool start(
	const struct proc_spec *spec, const char *path, const struct proc_pipes *p, struct err *e)
{
	default_signals();
	if (!set_up_fds(spec, p, e))
		return false;
	if (spec->cwd != NULL && chdir(spec->cwd) != 0)
		return err_sys(e, "proc.cwd", "cannot run %s in %s", spec->argv[0], spec->cwd);
	if (!confine(spec, e))
		return false;
#ifdef __linux__
	/* Should somebody kill the guard, at least the leader ends. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	execve(path, (char *const *)spec->argv, (char *const *)spec->env);
	int error = errno;
	return err_set(e, ERR_FAILED, "proc.exec", "cannot run %s: %s%s", path, strerror(error),
		exec_hint(error, path));
}

_Noreturn void proc_leader(const struct proc_spec *spec, const char *path, struct proc_pipes *p)
{
	struct err e = ERR_INIT;
	setpgid(0, 0);
	start(spec, path, p, &e);
	ssize_t n = write(p->start[1], &e, sizeof e);
	_exit(n == (ssize_t)sizeof e ? 127 : 126);
}
