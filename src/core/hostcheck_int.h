#ifndef CORE_HOSTCHECK_INT_H
#define CORE_HOSTCHECK_INT_H

#include "hostcheck.h"

/* Add a finding; the remedy is copied, NULL: none. */
void finding_add(struct hostcheck *h, enum severity severity, const char *id, const char *remedy,
	const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* A variable of the user's environment, NULL when unset, empty or not looked at. */
const char *hostcheck_env(const struct hostcheck_opts *o, const char *name);

/* One part of the check each. */
void hostcheck_path(const struct hostcheck_opts *o, struct hostcheck *h);
void hostcheck_jobs(const struct hostcheck_opts *o, struct hostcheck *h);
void hostcheck_environ(const struct hostcheck_opts *o, struct hostcheck *h);
void hostcheck_limits(struct hostcheck *h);

/* The path itself or its nearest ancestor that exists. Caller's own string. */
char *nearest_existing(const char *path);

/* Directories for trying things in. */
struct scratch {
	char *target; /* on the file system the prefix goes to, NULL: none */
	char *exec; /* where programs run: below TMPDIR, /tmp …, NULL: nowhere */
};
#define SCRATCH_NONE ((struct scratch){ 0 })
/* One where programs run; without any, programs are not tried. False only when interrupted. */
bool scratch_for_programs(const struct hostcheck_opts *o, struct scratch *s, struct err *e);
/* One where the prefix goes, with a finding where that directory cannot be written to. */
bool scratch_in_target(struct hostcheck *h, struct scratch *s);
void scratch_remove(struct scratch *s);

/* What the file system can do and has left, tried in s->target. False only when interrupted. */
bool hostcheck_fs(
	const struct hostcheck_opts *o, struct hostcheck *h, struct scratch *s, struct err *e);
/*
 * The longest interpreter path a #! line may have here, by doing in dir; 0 when not even a short
 * one works. False only when interrupted.
 */
bool shebang_limit(const struct hostcheck_opts *o, const char *dir, size_t *limit, struct err *e);
/* Is there room for the interpreters below EPREFIX? */
void hostcheck_length(struct hostcheck *h, size_t limit);

bool hostcheck_compilers(const struct hostcheck_opts *o, struct hostcheck *h,
	const struct scratch *s, struct err *e);
bool hostcheck_tools(const struct hostcheck_opts *o, struct hostcheck *h, const struct scratch *s,
	struct err *e);

/* A command tried out, in dir, with PATH from the options and nothing else. */
struct trial {
	int status; /* 127 with output "why" when it could not be started */
	struct buf output; /* both streams; at most some tens of lines of stderr */
};
/* False only when interrupted. */
bool trial_run(const struct hostcheck_opts *o, const char *dir, const char *const *argv,
	struct trial *t, struct err *e);
/* The same with a file that is written there first; 127 when that fails. */
bool trial_script(const struct hostcheck_opts *o, const char *dir, struct str script,
	struct trial *t, struct err *e);
void trial_fini(struct trial *t);
/* The first line of the output that says something. */
struct str trial_line(const struct trial *t);

#endif
