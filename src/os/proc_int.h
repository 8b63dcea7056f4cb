#ifndef OS_PROC_INT_H
#define OS_PROC_INT_H

#include "proc.h"

#include <signal.h>
#include <sys/resource.h>

/*
 * Three processes run a command. The caller drains the outputs and forwards signals. A guard, in a
 * session of its own, starts the leader and adopts whatever the leader leaves behind, so that it
 * can end all of it: when the leader ends, when told to, or when the caller is gone (even by
 * SIGKILL: the pipe between them then reaches its end).
 */

/* Seconds of the monotonic clock. */
double proc_now(void);

/* Signals turned into bytes on a pipe. One per process at a time. */
#define WAKE_MAX 4
struct wake {
	int fd[2]; /* read end, write end */
	int sig[WAKE_MAX];
	struct sigaction old[WAKE_MAX];
	size_t n;
};
#define WAKE_NONE ((struct wake){ .fd = { -1, -1 } })

/* Catch these signals, but for those the process ignores (nohup) unless force. */
bool wake_open(struct wake *w, const int *sigs, size_t n, bool force, struct err *e);
/* The last signal caught since wake_open, 0 for none; empties the pipe. */
int wake_take(struct wake *w);
/* Put the former handlers back. */
void wake_close(struct wake *w);

/* Time-stamped lines of two streams into a log, and the last of them into a tail. */
struct proc_log {
	int fd; /* -1: none */
	double start;
	size_t tail_lines;
	size_t uncut; /* lines added since the tail was last cut */
	struct buf partial[2]; /* the unfinished line of each stream */
	struct buf *tail; /* borrowed */
	int failed; /* errno of the first write that failed */
};
void proc_log_add(struct proc_log *log, int stream, const char *data, size_t n);
/* Write what has no newline yet, cut the tail to its length. */
void proc_log_end(struct proc_log *log);

/* What the guard tells the caller at the end. */
struct proc_report {
	int status; /* as from waitpid, of the leader */
	bool timed_out;
	struct rusage usage; /* of all it waited for */
};

/* The descriptors of the three; the caller's ends are closed in the others. */
struct proc_pipes {
	int out[2], err[2]; /* leader → caller */
	int start[2]; /* leader → caller: a struct err when it could not start */
	int control[2]; /* caller → guard: 'T' stop, 'K' kill; its end: kill */
	int report[2]; /* guard → caller: struct proc_report */
};

/* The guard's whole life, in the forked child. path: the program file. */
_Noreturn void proc_guard(const struct proc_spec *spec, const char *path, struct proc_pipes *p);
/* The leader's life up to exec, in the guard's forked child. */
_Noreturn void proc_leader(const struct proc_spec *spec, const char *path, struct proc_pipes *p);

/* Every descriptor from 3 on that is not in keep: close it, or just mark it close-on-exec. */
void proc_sweep_fds(const int *keep, size_t n, bool close_them);

#endif
