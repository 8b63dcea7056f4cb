#include "proc_int.h"

#include "str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define LINGER_S 0.2 /* for what the leader left behind to end by itself (a tee at its log) */
#define TERM_S 3.0 /* between SIGTERM and SIGKILL */
#define KILL_TICK_S 0.02 /* the orphans of what was just killed are children next time */
#define GIVE_UP_S 10.0 /* a process stuck in the kernel cannot be waited for */

enum guard_stage { GUARD_RUN, GUARD_LINGER, GUARD_TERM, GUARD_KILL };

struct guard {
	pid_t leader;
	bool leader_ended;
	enum guard_stage stage;
	double next; /* when the stage moves on, 0: never */
	double give_up;
	struct proc_report report;
	struct wake wake;
	int control;
};

/* Parent of a process by /proc, 0 when unknown. */
static pid_t parent_of(const char *pid)
{
	char path[300], text[512];
	snprintf(path, sizeof path, "/proc/%s/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	/* "pid (name) state ppid": the name may hold anything, also parentheses. */
	const char *after = strrchr(text, ')');
	return after != NULL && after[1] == ' ' && after[2] != '\0'
		       ? (pid_t)strtol(after + 3, NULL, 10)
		       : 0;
}

/* False when there is no /proc to look at. */
static bool signal_children(int sig)
{
	DIR *proc = opendir("/proc");
	pid_t self = getpid();
	size_t seen = 0;
	for (struct dirent *d; proc != NULL && (d = readdir(proc)) != NULL;) {
		if (!chr_digit(d->d_name[0]))
			continue;
		pid_t parent = parent_of(d->d_name);
		seen += parent != 0;
		if (parent == self)
			kill((pid_t)strtol(d->d_name, NULL, 10), sig);
	}
	if (proc != NULL)
		closedir(proc);
	return seen > 0;
}

static void signal_all(const struct guard *g, int sig)
{
	/* Once the leader is reaped its number may mean somebody else's group. */
	if (!g->leader_ended)
		kill(-g->leader, sig);
	if (!signal_children(sig) && g->leader_ended)
		kill(-g->leader, sig);
}

static void enter(struct guard *g, enum guard_stage stage)
{
	if (stage <= g->stage)
		return;
	g->stage = stage;
	double now = proc_now();
	if (stage == GUARD_LINGER) {
		g->next = now + LINGER_S;
	} else if (stage == GUARD_TERM) {
		signal_all(g, SIGTERM);
		signal_all(g, SIGCONT);
		g->next = now + TERM_S;
	} else {
		signal_all(g, SIGKILL);
		g->next = now + KILL_TICK_S;
		g->give_up = now + GIVE_UP_S;
	}
}

static void on_time(struct guard *g)
{
	double now = proc_now();
	if (g->next == 0 || now < g->next)
		return;
	if (g->stage == GUARD_KILL) {
		signal_all(g, SIGKILL);
		g->next = now + KILL_TICK_S;
		return;
	}
	g->report.timed_out |= g->stage == GUARD_RUN;
	enter(g, g->stage == GUARD_TERM ? GUARD_KILL : GUARD_TERM);
}

static void leader_ended(struct guard *g, int status)
{
	g->report.status = status;
#ifndef __linux__
	/* Without adoption nobody can be found later: end the group as long as its number is ours.
	 */
	kill(-g->leader, SIGKILL);
#endif
	g->leader_ended = true;
	enter(g, GUARD_LINGER);
}

/* Reap what ended; true when nothing is left. */
static bool reap(struct guard *g)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == g->leader)
			leader_ended(g, status);
	}
	return pid < 0 && errno == ECHILD;
}

static void obey(struct guard *g)
{
	char order;
	ssize_t n = read(g->control, &order, 1);
	if (n == 1)
		enter(g, order == 'K' ? GUARD_KILL : GUARD_TERM);
	else if (n == 0)
		enter(g, GUARD_KILL);
	if (n == 0)
		g->control = -1;
}

static int ms_to(double when)
{
	double ms = (when - proc_now()) * 1000;
	return when == 0 ? -1 : ms <= 0 ? 0 : ms > 60000 ? 60000 : (int)ms + 1;
}

static void watch(struct guard *g)
{
	while (!reap(g) && (g->stage != GUARD_KILL || proc_now() < g->give_up)) {
		struct pollfd fds[] = {
			{ .fd = g->control, .events = POLLIN },
			{ .fd = g->wake.fd[0], .events = POLLIN },
		};
		if (poll(fds, 2, ms_to(g->next)) > 0) {
			if (fds[1].revents != 0)
				wake_take(&g->wake);
			if (fds[0].revents != 0)
				obey(g);
		}
		on_time(g);
	}
}

/* Nobody's signals but by the control pipe; the adopter of all orphans below. */
static bool settle(struct guard *g, struct err *e)
{
	static const int child = SIGCHLD;
	setsid();
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	return wake_open(&g->wake, &child, 1, true, e);
}

static pid_t fork_leader(
	const struct proc_spec *spec, const char *path, struct proc_pipes *p, struct err *e)
{
	pid_t pid = fork();
	if (pid == 0)
		proc_leader(spec, path, p);
	if (pid < 0) {
		err_sys(e, "proc.fork", "cannot start a process");
		return -1;
	}
	setpgid(pid, pid);
	return pid;
}

_Noreturn void proc_guard(const struct proc_spec *spec, const char *path, struct proc_pipes *p)
{
	struct guard g = { .wake = WAKE_NONE, .control = p->control[0] };
	struct err e = ERR_INIT;
	close(p->control[1]);
	if (!settle(&g, &e) || (g.leader = fork_leader(spec, path, p, &e)) < 0) {
		if (write(p->start[1], &e, sizeof e) < 0)
			_exit(2);
		_exit(1);
	}
	const int keep[] = { p->control[0], p->report[1], g.wake.fd[0], g.wake.fd[1] };
	proc_sweep_fds(keep, sizeof keep / sizeof *keep, true);
	if (spec->timeout_s > 0)
		g.next = proc_now() + spec->timeout_s;
	watch(&g);
	getrusage(RUSAGE_CHILDREN, &g.report.usage);
	_exit(write(p->report[1], &g.report, sizeof g.report) < 0 ? 2 : 0);
}
