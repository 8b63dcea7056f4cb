#ifndef CORE_HOSTCHECK_H
#define CORE_HOSTCHECK_H

#include "err.h"
#include "str.h"
#include "vec.h"

#include <stdint.h>

/*
 * Is this host fit to make a prefix in that directory? Everything is found by doing where it can
 * be, and all at once, so that nobody repairs one thing only to hear of the next.
 */

enum severity {
	SEVERITY_INFO, /* how things are, so that a reader can see why */
	SEVERITY_WARNING, /* it will work, but worse or not for all */
	SEVERITY_ERROR, /* it cannot work */
};

struct finding {
	enum severity severity;
	const char *id; /* "path.characters": stable, for programs; a literal */
	char *text; /* what is, naming the directory, mount or tool */
	char *remedy; /* what to do, NULL: nothing */
};

/* What the default run took here, rounded up: the floor for a directory that holds nothing yet. */
#define HOSTCHECK_BYTES (UINT64_C(12) * 1000 * 1000 * 1000)
#define HOSTCHECK_INODES (UINT64_C(400) * 1000)
/* The host's own program directories; the caller's PATH is not asked (design §9). */
#define HOSTCHECK_PATH "/usr/bin:/bin:/usr/sbin:/sbin"

struct hostcheck_opts {
	const char *eprefix; /* as typed; NULL: nothing about a directory */
	const char *sysroot; /* put before /proc and /sys (tests), NULL: none */
	const char *path; /* where tools are looked for, NULL: HOSTCHECK_PATH */
	const char *cc, *cxx; /* compilers to use, NULL: the usual names */
	const char *const *env; /* the user's environment, NULL: not looked at */
	uint64_t need_bytes, need_inodes; /* free, where the prefix goes; 0: not looked at */
	unsigned jobs; /* as asked for; 0: find out */
	bool no_tools; /* leave the compiler and other programs out */
};

struct hostcheck {
	VEC(struct finding) findings;
	char *eprefix; /* physical path, NULL when refused or not asked */
	bool exists; /* something is in that directory already */
	unsigned jobs; /* at least 1 */
	uint64_t memory; /* bytes that can be used, 0 unknown */
};

#define HOSTCHECK_INIT ((struct hostcheck){ 0 })

/*
 * Fill *h (HOSTCHECK_INIT). False only when interrupted or when this program itself fails:
 * unfitness is a finding. Whatever was made for trying is gone afterwards; below a refused path
 * nothing is made.
 */
bool hostcheck_run(const struct hostcheck_opts *o, struct hostcheck *h, struct err *e);
void hostcheck_fini(struct hostcheck *h);

/* The worst severity found. */
enum severity hostcheck_worst(const struct hostcheck *h);
const char *severity_name(enum severity s);
/* {"fit":…,"eprefix":…,"jobs":…,"memory":…,"findings":[{"severity","id","text","remedy"}…]} */
void hostcheck_json(const struct hostcheck *h, struct buf *out);

#endif
