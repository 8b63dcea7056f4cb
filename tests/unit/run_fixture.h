#ifndef TESTS_UNIT_RUN_FIXTURE_H
#define TESTS_UNIT_RUN_FIXTURE_H

#include "executor.h"
#include "plan.h"
#include "test.h"

/*
 * A prefix in a fresh directory with a plan of made-up packages, and phases that are C functions:
 * they append "phase cat/pn" to EPREFIX/trace, and record the package in the merge phase.
 */

/* One made-up package. */
struct fake_pkg {
	const char *cpv; /* "cat/pn-1" */
	const char *depend, *bdepend, *rdepend; /* NULL: none */
	const char *recipe; /* stands for its text, NULL: "1" */
	const char *iuse;
};

struct fake_repo {
	const struct fake_pkg *packages;
	size_t n;
};

struct plan_source fake_source(struct fake_repo *repo);

struct fixture {
	char *eprefix;
	struct plan plan;
	struct err e;
	struct fake_repo repo;
};

/* A plan of one stage, "one", with these atoms (NULL-terminated) into the prefix. */
void fixture_open(
	struct fixture *f, const struct fake_pkg *packages, size_t n, const char *const *atoms);
/* Plan again, with other packages, in the same prefix. */
void fixture_replan(
	struct fixture *f, const struct fake_pkg *packages, size_t n, const char *const *atoms);
void fixture_close(struct fixture *f);

/* How the stand-in phases behave: they read it from files in the prefix, so that it holds in
 * worker processes, too. EPREFIX/fail-<phase>-<pn>: that phase fails. EPREFIX/slow: each phase
 * takes so many milliseconds. EPREFIX/hungry-<pn>: compiling with more than one job runs out of
 * memory. */
struct phase_runner fake_runner(struct fixture *f);
/* The trace so far, the caller's own. */
char *fixture_trace(const struct fixture *f);
/* How often a line stands in the trace. */
size_t fixture_count(const struct fixture *f, const char *line);
/* Run what is to do with the stand-in phases. */
bool fixture_run(struct fixture *f, const struct run_opts *opts, struct tally *t);

#endif
