#include "proc_int.h"

#include "mem.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *proc_which(const char *name, const char *path_list)
{
	if (strchr(name, '/') != NULL)
		return is_program(name) ? xstrdup(name) : NULL;
	struct str rest = str_of(path_list), dir;
	while (str_split(&rest, ':', &dir)) {
		/* An empty or relative entry would mean whatever directory is current. */
		if (!str_starts(dir, "/"))
			continue;
		char *path = xasprintf("%.*s/%s", STR_ARG(dir), name);
		if (is_program(path))
			return path;
		free(path);
	}
	return NULL;
}

static const char *path_of_env(const char *const *env)
{
	for (; *env != NULL; env++) {
		if (strncmp(*env, "PATH=", 5) == 0)
			return *env + 5;
	}
	return "";
}

static char *find_program(const struct proc_spec *spec, struct err *e)
{
	const char *name = spec->argv[0];
	if (strchr(name, '/') != NULL)
		return xstrdup(name);
	const char *list = path_of_env(spec->env);
	char *path = proc_which(name, list);
	if (path == NULL)
		err_set(e, ERR_FAILED, "proc.not-found",
			"the command %s is not there: PATH is \"%s\"", name, list);
	return path;
}

#define N_PIPES 5

static void pipe_ends(struct proc_pipes *p, int *ends[N_PIPES])
{
	int *const all[N_PIPES] = { p->out, p->err, p->start, p->control, p->report };
	memcpy(ends, all, sizeof all);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pipes(struct proc_pipes *p)
{
	int *ends[N_PIPES];
	pipe_ends(p, ends);
	for (int i = 0; i < N_PIPES; i++) {
		close_fd(&ends[i][0]);
		close_fd(&ends[i][1]);
	}
}

static bool open_pipes(struct proc_pipes *p, struct err *e)
{
	int *ends[N_PIPES];
	pipe_ends(p, ends);
	for (int i = 0; i < N_PIPES; i++)
		ends[i][0] = ends[i][1] = -1;
	for (int i = 0; i < N_PIPES; i++) {
		if (pipe(ends[i]) != 0)
			return err_sys(e, "proc.pipe", "cannot make a pipe");
		for (int k = 0; k < 2; k++) {
			/* Never 0 to 2: they would be overwritten in the leader. */
			int high = fcntl(ends[i][k], F_DUPFD_CLOEXEC, 3);
			if (high < 0)
				return err_sys(e, "proc.pipe", "cannot make a pipe");
			close(ends[i][k]);
			ends[i][k] = high;
		}
	}
	return true;
}

/* A running command as its caller sees it. */
struct watch {
	const struct proc_spec *spec;
	struct proc_pipes *pipes;
	struct wake wake;
	struct proc_log log;
	struct proc_report report;
	bool reported;
	int stopped_by; /* signal to this process */
	unsigned stops; /* how often it was told to stop */
};

/* Take what is there of one output; false at its end. */
static bool drain(struct watch *w, int fd, int stream)
{
	char chunk[65536];
	ssize_t n = read(fd, chunk, sizeof chunk);
	if (n < 0)
		return errno == EINTR;
	if (stream == 0 && w->spec->out != NULL)
		buf_add(w->spec->out, chunk, (size_t)n);
	else if (n > 0)
		proc_log_add(&w->log, stream, chunk, (size_t)n);
	return n > 0;
}

static void forward_signal(struct watch *w)
{
	int sig = wake_take(&w->wake);
	if (sig == 0)
		return;
	w->stopped_by = sig;
	/* A second Ctrl-C does not wait. */
	const char order = w->stops++ == 0 ? 'T' : 'K';
	if (write(w->pipes->control[1], &order, 1) < 0)
		close_fd(&w->pipes->control[1]);
}

static void drain_both(struct watch *w, struct pollfd fds[2])
{
	int *const ends[2] = { &w->pipes->out[0], &w->pipes->err[0] };
	for (int i = 0; i < 2; i++) {
		if (fds[i].revents != 0 && !drain(w, *ends[i], i))
			close_fd(ends[i]);
	}
}

/* Until the guard has reported or is gone; then what the pipes still hold. */
static void follow(struct watch *w)
{
	bool ended = false;
	for (;;) {
		struct pollfd fds[4] = {
			{ .fd = w->pipes->out[0], .events = POLLIN },
			{ .fd = w->pipes->err[0], .events = POLLIN },
			{ .fd = ended ? -1 : w->pipes->report[0], .events = POLLIN },
			{ .fd = ended ? -1 : w->wake.fd[0], .events = POLLIN },
		};
		int n = poll(fds, 4, ended ? 0 : -1);
		if (n == 0)
			return;
		if (n < 0)
			continue;
		drain_both(w, fds);
		if (fds[3].revents != 0)
			forward_signal(w);
		if (fds[2].revents != 0) {
			w->reported = read(w->pipes->report[0], &w->report, sizeof w->report) ==
				      (ssize_t)sizeof w->report;
			ended = true;
		}
	}
}

static void fill_result(const struct watch *w, struct proc_result *r)
{
	const struct rusage *u = &w->report.usage;
	int status = w->report.status;
	r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	r->status = r->signal != 0 ? 128 + r->signal : WEXITSTATUS(status);
	r->timed_out = w->report.timed_out;
	r->wall_s = proc_now() - w->log.start;
	r->user_s = (double)u->ru_utime.tv_sec + (double)u->ru_utime.tv_usec / 1e6;
	r->sys_s = (double)u->ru_stime.tv_sec + (double)u->ru_stime.tv_usec / 1e6;
#ifdef __APPLE__
	r->maxrss_kb = u->ru_maxrss / 1024;
#else
	r->maxrss_kb = u->ru_maxrss;
#endif
}

/* Did the leader say that it could not start? */
static bool start_failed(const struct watch *w, struct err *e)
{
	struct err said;
	fcntl(w->pipes->start[0], F_SETFL, O_NONBLOCK);
	if (read(w->pipes->start[0], &said, sizeof said) != (ssize_t)sizeof said)
		return false;
	*e = said;
	return true;
}

static bool judge(const struct watch *w, struct proc_result *r, struct err *e)
{
	const char *name = w->spec->argv[0];
	if (start_failed(w, e))
		return false;
	if (w->stopped_by != 0)
		return err_set(e, ERR_INTERRUPTED, "proc.interrupted", "%s was stopped: %s", name,
			strsignal(w->stopped_by));
	if (!w->reported)
		return err_set(e, ERR_FAILED, "proc.guard",
			"the process that watches over %s was killed (was memory short?)", name);
	fill_result(w, r);
	if (w->log.failed != 0) {
		errno = w->log.failed;
		return err_sys(e, "proc.log", "cannot write the log of %s", name);
	}
	return true;
}

static bool spawn_guard(const struct proc_spec *spec, const char *path, struct proc_pipes *p,
	pid_t *guard, struct err *e)
{
	struct sandbox_support support;
	if (spec->sandbox != NULL)
		sandbox_probe(&support); /* remembered here, so that the child need not try again */
	*guard = fork();
	if (*guard < 0)
		return err_sys(e, "proc.fork", "cannot start a process");
	if (*guard == 0)
		proc_guard(spec, path, p);
	close_fd(&p->out[1]);
	close_fd(&p->err[1]);
	close_fd(&p->start[1]);
	/* control[0] stays open here, too: writing to a guard that has just ended is then no
	 * SIGPIPE. */
	close_fd(&p->report[1]);
	return true;
}

bool proc_run(const struct proc_spec *spec, struct proc_result *result, struct err *e)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	struct proc_pipes pipes;
	struct watch w = { .spec = spec,
		.pipes = &pipes,
		.wake = WAKE_NONE,
		.log = { .fd = spec->log_fd,
			.start = proc_now(),
			.tail_lines = spec->tail_lines,
			.tail = &result->tail } };
	pid_t guard = -1;
	bool ok = false;
	char *path = find_program(spec, e);
	if (path == NULL)
		return false;
	if (!open_pipes(&pipes, e) || !wake_open(&w.wake, stops, 3, false, e) ||
		!spawn_guard(spec, path, &pipes, &guard, e))
		goto out;
	follow(&w);
	while (waitpid(guard, NULL, 0) < 0 && errno == EINTR)
		;
	proc_log_end(&w.log);
	w.stopped_by = w.stopped_by != 0 ? w.stopped_by : wake_take(&w.wake);
	ok = judge(&w, result, e);
out:
	wake_close(&w.wake);
	close_pipes(&pipes);
	free(path);
	return ok;
}

void proc_result_fini(struct proc_result *result)
{
	buf_fini(&result->tail);
	*result = PROC_RESULT_INIT;
}
