#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "cli.h"
#include "ini.h"
#include "mem.h"

/* One section of repos.conf that is a repository. Slices are the arena's. */
struct overlay {
	struct str name, location, sync_type, sync_uri; /* as written */
	const char *path; /* location, ${EPREFIX} expanded */
	const char *file; /* where the section begins */
};

/* repos.conf of the prefix. Empty value: all zero. */
struct overlays {
	const char *eprefix; /* borrowed from the command line */
	struct arena arena;
	VEC(struct overlay) list; /* in the order of the files */
};

/* overlay_conf.c: read etc/portage/repos.conf; no repository is opened, nor need it be there. */
bool overlays_read(struct overlays *o, const char *eprefix, struct err *e);
void overlays_fini(struct overlays *o);
const struct overlay *overlays_find(const struct overlays *o, const char *name);
/* The first word of DIR/profiles/repo_name, "" when there is none; the arena's. */
const char *overlays_name_of(struct overlays *o, const char *dir);
/* "${EPREFIX}" and "$EPREFIX" replaced; the arena's. */
const char *overlays_expand(struct overlays *o, struct str location);

/*
 * overlay_sync.c: clone uri into path, or fast-forward what is there. Fails with ERR_SOURCE, git's
 * own words in the message.
 */
bool overlay_git(const char *uri, const char *path, struct err *e);
/* Update the named repositories, or all that have a sync-uri. */
bool overlay_sync(struct cli *c, int argc, char **argv, struct err *e);

/*
 * overlay_check.c: print what is wrong with the recipes, Manifests and files of repositories, one
 * line a finding. dirs: their directories; repositories beside one of them count as its masters.
 * *n is the number of findings; false only when checking itself fails.
 */
bool overlay_check(struct cli *c, char **dirs, size_t n_dirs, size_t *n, struct err *e);

/*
 * overlay_manifest.c: bring the Manifest of each package directory up to date with its recipes:
 * lines of sources that none has go, those that lack come from the files in --distdir. ERR_SOURCE
 * for a file that is neither listed nor there, and for one that is not what its line says (--force
 * replaces the line).
 */
bool overlay_manifest(struct cli *c, int argc, char **argv, struct err *e);

#endif
