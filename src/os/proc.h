#ifndef OS_PROC_H
#define OS_PROC_H

#include "err.h"
#include "str.h"

#include <sys/types.h>

struct sandbox;

/* A command: argv and a whole environment, never a shell string. */
struct proc_spec {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in the PATH of env */
	const char *const *env; /* NULL-terminated "NAME=value"; nothing is inherited */
	const char *cwd; /* NULL: as it is */
	int log_fd; /* both outputs go there line by line with a time stamp; -1: none */
	struct buf *out; /* captured stdout (then stdout is not logged), or NULL */
	unsigned timeout_s; /* the whole group is killed after that; 0: none */
	const struct sandbox *sandbox; /* NULL: none */
	const int *keep_fds; /* descriptors the child inherits besides 0-2 */
	size_t n_keep_fds;
	size_t tail_lines; /* how many last lines of output proc_result.tail keeps */
};

struct proc_result {
	int status; /* exit code, or 128 + signal */
	int signal; /* 0, or what ended it */
	bool timed_out;
	double wall_s, user_s, sys_s; /* of the command and all it waited for */
	long maxrss_kb;
	struct buf tail;
};

#define PROC_RESULT_INIT ((struct proc_result){ 0 })

/*
 * Run a command in its own process group with stdin closed (/dev/null), wait for it, and leave
 * nothing of its group running. True when it was started and ended, whatever its status.
 * On SIGINT, SIGTERM or SIGHUP to this process the group is stopped (TERM, then KILL after 3 s)
 * and false comes back with ERR_INTERRUPTED.
 */
bool proc_run(const struct proc_spec *spec, struct proc_result *result, struct err *e);
void proc_result_fini(struct proc_result *result);

/*
 * Become another program: argv and env as in proc_spec, argv[0] a path; terminal, descriptors 0 to
 * 2 and working directory stay. Returns only when that fails, with false.
 */
bool proc_exec(const char *const *argv, const char *const *env, struct err *e);

/* Absolute path of a program found in the colon-separated path list, caller's own, or NULL. */
char *proc_which(const char *name, const char *path_list);

#endif
