#ifndef CLI_BOOT_H
#define CLI_BOOT_H

#include "cli.h"
#include "fetch.h"
#include "lock.h"
#include "lua_api.h"
#include "mirror.h"
#include "plan.h"
#include "tally.h"

/* The parts of `eprefix bootstrap`; one struct holds what they share. */

/* Everything of one bootstrap. Empty value: all zero but for the lock (LOCK_NONE). */
struct boot {
	struct cli *cli;
	char *eprefix; /* physical path */
	char *distdir;
	const char *source_dir; /* where this program comes from, NULL: not given */
	const char *overlays; /* directory of overlays to copy, NULL: source_dir's */
	const char *repo_dir; /* where the overlays are: var/db/repos, for --pretend in scratch */
	char *scratch; /* --pretend: a directory aside, removed at the end; else NULL */
	struct lock lock;
	struct lua *lua;
	const char *lua_dir;
	struct buf options, facts; /* JSON */
	char *arch; /* of the facts: "amd64" */
	const char *which; /* the stage file */
	bool guest; /* stands on the host's C library */
	struct stage_list stages;
	struct strv repos; /* directories, in the order they are searched */
	VEC(struct source_list) sources; /* what the plan's steps point to */
	struct plan plan;
	struct tally tally;
	struct mirrors *mirrors;
	struct arena arena; /* for what lives as long as this */
	struct fetch_opts fetch;
};

/* A path below the prefix, the boot's own. */
const char *boot_path(struct boot *b, const char *relative);
struct lua_stage_input boot_stage_input(const struct boot *b);

/*
 * boot_skeleton.c: the directories of a prefix, its overlays (copied where their contents differ),
 * etc/portage where it is missing, the packed source of this program. An unchanged tree is not
 * touched.
 */
bool boot_skeleton(struct boot *b, struct err *e);
/* For --pretend: the overlays only, into b->scratch. */
bool boot_scratch(struct boot *b, struct err *e);

/* boot_repo.c: find b->repos, and packages in them for the planner. */
bool boot_find_repos(struct boot *b, struct err *e);
struct plan_source boot_source(struct boot *b);

/*
 * boot_host.c: b->options from the command line and from an earlier run (which rules), b->facts
 * from host.json or by asking the machine.
 */
bool boot_options(struct boot *b, struct err *e);
bool boot_facts(struct boot *b, struct err *e);
/* The host compiler could not be retargeted: build a cross compiler from now on. */
bool boot_fall_back(struct boot *b, struct err *e);

/* boot_profile.c: point etc/portage/make.profile at the profile of this machine, where it is not
 * there. */
bool boot_profile(struct boot *b, struct err *e);

/* boot_fetch.c: b->distdir by the command line, make.conf, or the prefix's own place. */
bool boot_distdir(struct boot *b, struct err *e);
/* Fill b->fetch from make.conf, mirrors and the command line. */
bool boot_fetch(struct boot *b, struct err *e);

/* boot_end.c: after the last step: startprefix, EPREFIX/tmp goes, and the prefix is verified. */
bool boot_finish(struct boot *b, struct err *e);
/* Tell how the run went and how to enter the prefix. */
void boot_tell_end(struct boot *b);
/* Has the prefix been finished before? Then EPREFIX/tmp is gone on purpose. */
bool boot_is_finished(const struct boot *b);
/* And has it been found to stand on its own? */
bool boot_is_verified(struct boot *b);

#endif
