#ifndef RUN_STEP_H
#define RUN_STEP_H

#include "err.h"
#include "vec.h"

#include <stdint.h>

/* The phases of a package, in order (PMS ch. 9; fetch and merge are the engine's own). */
enum phase {
	PHASE_FETCH,
	PHASE_UNPACK,
	PHASE_PREPARE,
	PHASE_CONFIGURE,
	PHASE_COMPILE,
	PHASE_TEST,
	PHASE_INSTALL,
	PHASE_MERGE,
	PHASE_COUNT,
};

const char *phase_name(enum phase p);

/* One way to get one archive. Alternatives of a source are different files of the same release. */
struct source_file {
	char *name; /* name in DISTDIR and in the Manifest's DIST line */
	uint64_t size; /* bytes, from the Manifest */
	char *blake2b, *sha512; /* lower-case hex from the Manifest, NULL: not listed */
	struct strv uris; /* in order; mirror://NAME/… not yet expanded */
};
struct source {
	VEC(struct source_file) alternatives; /* the first that can be had is used */
};

/*
 * One package built into one root: the unit of work, of resuming and of progress.
 * Filled by the planner; read by workers; strings are owned by the plan's arena.
 */
struct step {
	const char *id; /* "stage3:sys-devel/gcc-14.2.0", unique in a plan */
	const char *stage; /* "stage3"; "emerge" outside a bootstrap */
	const char *root; /* physical path of the prefix it fills: EPREFIX or EPREFIX/tmp */
	const char *category, *pn, *pvr; /* pvr: version with -rN if not r0 */
	const char *slot, *repo; /* slot/sub-slot, repository name */
	const char *repo_path; /* directory of the repository */
	const char *use; /* enabled flags, sorted, space separated */
	const char *iuse; /* IUSE as declared */
	const char *const *conf; /* "NAME=value" of the user's settings, NULL-terminated, or NULL */
	const char *key; /* SHA-256 hex of all that decides the result */
	const char *workdir; /* root/var/tmp/portage/<cat>/<pf> */
	const char *log; /* EPREFIX/var/log/portage/<stage>/<cat>:<pf>.log */
	const size_t *deps; /* indexes of the steps that must be merged before this one starts */
	size_t n_deps;
	const struct source *sources;
	size_t n_sources;
	double est_cpu_s; /* expected CPU seconds, 0 unknown */
	unsigned mem_mb; /* what one compile job of it may need, 0: the usual */
};

/* What a worker process gives to the phases of its step. */
struct worker_env {
	const char *eprefix; /* the final prefix */
	const char *distdir;
	/* MAKEFLAGS for GNU make: by inherited descriptors, which every make understands and no
	 * sandbox hinders, and by the name of the fifo (make 4.4), which outlives wrappers that
	 * close descriptors but needs job_fifo among the writable paths. "" without a jobserver. */
	const char *makeflags_fds, *makeflags_fifo;
	const char *job_fifo;
	int job_fds[2]; /* what makeflags_fds names: for proc_spec.keep_fds; -1: none */
	unsigned jobs; /* for tools that know no jobserver: $JOBS */
	int log_fd; /* the step's log: where commands write (proc_spec.log_fd) */
};

/* Runs one phase of one step; bind/ implements it with Lua, tests with a stand-in (layers §3).
 * Both are called in the worker process only. */
struct phase_runner {
	/* Once, before the first phase: open what the phases need. NULL: nothing to do. */
	bool (*open)(void *ctx, const struct step *s, const struct worker_env *w, struct err *e);
	/* A failure is ERR_BUILD, or what it is. PHASE_FETCH never comes here. */
	bool (*run)(void *ctx, const struct step *s, enum phase p, struct err *e);
	void *ctx;
};

#endif
