#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "err.h"
#include "mem.h"
#include "step.h"
#include "vec.h"

/*
 * From stages (data) and package metadata to steps: a directed graph without cycles, each step
 * with its key and the CPU time of the longest chain that hangs on it.
 */

/* One stage as its Lua file describes it (docs/internals.md); paths are expanded and physical.
 * Strings are borrowed from whoever loaded it and outlive the plan. */
struct stage {
	const char *name;
	const char *root; /* the prefix it fills */
	const char *const *broots; /* where BDEPEND is looked up, NULL-terminated, in order */
	const char *const *packages; /* atoms, NULL-terminated */
	const char *const *use; /* package.use lines, NULL-terminated, later ones win */
	const char *const *needs; /* "stage:cat/pn" or "stage:*", NULL-terminated */
	bool host_tools; /* an unmet BDEPEND is the host's to provide */
	const char *tools_text; /* all of tools and env that decides a result, for the key */
};

/* One package as the planner sees it. Strings live in the arena given to find(). */
struct pkg_meta {
	const char *category, *pn, *pvr; /* pvr: version with -rN if not r0 */
	const char *slot, *repo, *repo_path; /* slot/sub-slot */
	const char *iuse; /* as declared, with + and - */
	const char *use; /* enabled flags, sorted, space separated */
	const char *const *conf; /* "NAME=value" that its build is to have, sorted; NULL: none */
	const char *depend, *rdepend, *bdepend, *pdepend; /* PMS syntax, "" for none */
	const char *recipe_digest; /* SHA-256 hex of the recipe and of all it loads */
	const char *patches_digest; /* SHA-256 hex of files/ that it uses, "" for none */
	const struct source *sources; /* after USE */
	size_t n_sources;
	double cpu_s; /* the recipe's estimate of its CPU seconds, 0: none */
	unsigned mem_mb; /* what one compile job may need, 0: the usual */
};

/* One question of the planner. */
struct plan_query {
	const struct stage *stage;
	const char *atom;
	struct arena *arena; /* owns the answer */
};

/* Where packages come from; bind/ implements it with recipes, tests with tables. */
struct plan_source {
	/*
	 * The best visible package for the atom, with its USE as the stage has it (plan_use()).
	 * ERR_CONFLICT when there is none, with the nearest name.
	 */
	bool (*find)(
		void *ctx, const struct plan_query *query, struct pkg_meta *out, struct err *e);
	/* Is something that matches the atom recorded in root? May be NULL: nothing is. */
	bool (*installed)(void *ctx, const char *root, const char *atom);
	void *ctx;
};

/* Why a step runs, or that it need not. */
enum step_reason {
	REASON_NEW, /* not installed */
	REASON_CHANGED, /* installed, but with another key */
	REASON_GONE, /* was finished, but its record is gone or another one's */
	REASON_REDO, /* asked for by --redo */
	REASON_RESUME, /* its work directory holds finished phases for this key */
	REASON_CURRENT, /* nothing to do */
};
const char *reason_text(enum step_reason r);

/* What the planner keeps beside each step (same index). */
struct step_plan {
	double tail_s; /* CPU seconds of it and of the longest chain that waits for it: priority */
	enum step_reason reason; /* set by state.h's plan_reasons() */
	size_t stage; /* index of its stage */
	bool on_demand; /* unfinished, it runs only when a step that runs waits for it */
};

struct plan {
	struct arena arena; /* owns everything that steps point to */
	const char *eprefix; /* the final prefix */
	VEC(struct step) steps; /* in an order that respects deps */
	VEC(struct step_plan) info; /* one for each step */
	VEC(const char *) stages; /* names, in order */
	struct strv notes; /* dropped run-time edges and the like, for --verbose */
};

#define PLAN_INIT ((struct plan){ 0 })

/* What a bootstrap is planned from. */
struct plan_request {
	const char *eprefix; /* the final prefix */
	const struct stage *stages;
	size_t n_stages;
	const struct plan_source *source;
};
/*
 * The plan of a bootstrap: a step for each package of each stage and for what their dependencies
 * need in the same root. any-of takes the first alternative that is planned or installed, else the
 * first; blockers are ignored. A run-time dependency orders two steps unless that made a cycle.
 * Fails with ERR_CONFLICT: an unmet dependency, or a cycle, which is printed whole.
 */
bool plan_bootstrap(struct plan *p, const struct plan_request *r, struct err *e);

/* What `emerge` will do: packages in the order the resolver found. */
struct plan_packages {
	const char *root; /* EPREFIX */
	const struct pkg_meta *v;
	size_t n;
	const char *tools_text; /* as in struct stage */
};
/* Only edges to earlier packages are made, so nothing can be a cycle. The stage is "emerge". */
bool plan_list(struct plan *p, const struct plan_packages *list, struct err *e);
void plan_fini(struct plan *p);

/* USE of a package in a stage: IUSE's defaults, then the stage's lines that match it, in order.
 * Sorted, space separated, only flags of IUSE; lives in a. m needs category, pn, pvr, slot, iuse.
 */
bool plan_use(const struct stage *stage, const struct pkg_meta *m, struct arena *a,
	const char **use, struct err *e);

/* Expected CPU seconds from earlier runs, by package; see timings.h. */
struct timings;
/* Fill est_cpu_s of each step (earlier runs, recipe, default) and tail_s. t may be NULL. */
void plan_estimate(struct plan *p, const struct timings *t);
/* The index of the step with that id, or SIZE_MAX. */
size_t plan_find(const struct plan *p, const char *id);

#endif
