#include "worker.h"

#include "child.h"
#include "fs.h"
#include "log_tail.h"
#include "machine.h"
#include "tally.h"
#include "workdir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The worker process's own view of its job. */
struct work {
	const struct worker_job *job;
	const struct step *step;
	struct worker_env env;
	int events;
};

static void tell(const struct work *w, struct worker_event *event)
{
	/* When nobody reads any more, this process is about to be ended anyway. */
	ssize_t n = write(w->events, event, sizeof *event);
	(void)n;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* CPU seconds of this process and of all it waited for. */
static double cpu_used(long *maxrss_kb)
{
	struct rusage own, children;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	*maxrss_kb = children.ru_maxrss;
#ifdef __APPLE__
	*maxrss_kb /= 1024;
#endif
	return seconds(own.ru_utime) + seconds(own.ru_stime) + seconds(children.ru_utime) +
	       seconds(children.ru_stime);
}

/* Open the log (a new one when the work starts from its beginning) as both outputs. */
static bool open_log(struct work *w, bool fresh, struct err *e)
{
	const char *path = w->step->log;
	char *dir = xstrndup(path, (size_t)(path_base(path) - path));
	bool ok = fs_mkdirs(AT_FDCWD, dir, 0755, e);
	free(dir);
	if (!ok)
		return false;
	int fd =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (fresh ? O_TRUNC : 0), 0644);
	if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		return err_sys(e, "run.log", "opening the log %s", path);
	close(fd);
	w->env.log_fd = 1;
	return true;
}

static bool run_phase(struct work *w, enum phase p, struct err *e)
{
	struct worker_event event = { .kind = WORKER_BEGIN, .phase = p };
	long maxrss;
	double wall = tally_clock(), cpu = cpu_used(&maxrss);
	tell(w, &event);
	if (!w->job->runner->run(w->job->runner->ctx, w->step, p, e))
		return false;
	event.kind = WORKER_END;
	event.time.cpu_s = cpu_used(&maxrss) - cpu;
	event.time = (struct phase_time){ p, tally_clock() - wall, event.time.cpu_s, maxrss };
	if (!workdir_stamp(w->step, p, e))
		return false;
	tell(w, &event);
	return true;
}

/* How things stood when a phase began. */
struct before {
	unsigned long oom_kills;
	off_t log_size;
};

static struct before look(void)
{
	struct stat st;
	return (struct before){ machine_oom_kills(), fstat(1, &st) == 0 ? st.st_size : 0 };
}

/* Did memory run out? The kernel's count for our group, or what compilers and make then say. */
static bool looks_like_oom(const struct step *s, struct before before)
{
	static const char *const signs[] = { "Killed signal terminated program",
		"virtual memory exhausted", "Cannot allocate memory", "out of memory allocating",
		"std::bad_alloc", "Error 137", "LLVM ERROR: out of memory" };
	if (machine_oom_kills() > before.oom_kills)
		return true;
	struct err ignored = ERR_INIT;
	char *tail = log_since(s->log, before.log_size, &ignored);
	bool found = false;
	for (size_t i = 0; tail != NULL && i < sizeof signs / sizeof *signs; i++)
		found = found || strstr(tail, signs[i]) != NULL;
	free(tail);
	return found;
}

static void fail(const struct work *w, enum phase p, bool oom, const struct err *e)
{
	struct worker_event event = {
		.kind = WORKER_FAILED, .phase = p, .out_of_memory = oom, .err = *e
	};
	tell(w, &event);
}

static bool start(struct work *w, enum phase *first, struct err *e)
{
	const struct phase_runner *r = w->job->runner;
	*first = PHASE_UNPACK;
	if (!workdir_open(w->step, first, e) || !open_log(w, *first == PHASE_UNPACK, e))
		return false;
	if (chdir(w->step->workdir) != 0)
		return err_sys(e, "run.workdir", "entering %s", w->step->workdir);
	return r->open == NULL || r->open(r->ctx, w->step, &w->env, e);
}

/* The whole life of the process; returns its exit status. */
static int work(struct work *w)
{
	struct err e = ERR_INIT;
	enum phase p = PHASE_UNPACK;
	if (!start(w, &p, &e)) {
		fail(w, p, false, &e);
		return 1;
	}
	for (; p < PHASE_COUNT; p++) {
		struct before before = look();
		if (run_phase(w, p, &e))
			continue;
		bool build = p == PHASE_CONFIGURE || p == PHASE_COMPILE || p == PHASE_TEST;
		fail(w, p, build && e.code != ERR_INTERRUPTED && looks_like_oom(w->step, before),
			&e);
		return 1;
	}
	struct worker_event done = { .kind = WORKER_MERGED, .phase = PHASE_MERGE };
	tell(w, &done);
	if (chdir("/") == 0 && !w->job->keep_work)
		fs_remove_tree(AT_FDCWD, w->step->workdir, &e);
	return 0;
}

bool worker_start(struct worker *w, const struct worker_job *job, struct err *e)
{
	const struct child_fds keep = { job->env->job_fds, 2 };
	int fd = -1;
	pid_t pid = child_fork(&fd, &keep, e);
	if (pid == 0) {
		struct work mine = { job, job->step, *job->env, fd };
		_exit(work(&mine));
	}
	*w = (struct worker){ .pid = pid, .events = fd };
	return pid > 0;
}

static void describe_end(int status, struct err *e)
{
	if (WIFSIGNALED(status))
		err_set(e, ERR_BUILD, "run.worker",
			"its worker process was killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		err_set(e, ERR_BUILD, "run.worker", "its worker process ended with status %d",
			WEXITSTATUS(status));
}

bool worker_next(struct worker *w, struct worker_event *event, struct err *e)
{
	if (child_read(w->events, event, sizeof *event))
		return true;
	int status = 0;
	close(w->events);
	w->events = -1;
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	describe_end(status, e);
	return false;
}
