#ifndef PMS_CONFIG_H
#define PMS_CONFIG_H

#include "atom.h"
#include "err.h"
#include "map.h"
#include "mem.h"
#include "pkg.h"
#include "repo.h"
#include "vec.h"

struct config;

/* Where the configuration is read from, and what overrides it. */
struct config_options {
	const char *eprefix; /* physical path */
	const char *config_root; /* NULL: eprefix; its etc/portage is read */
	const char *const *env; /* NAME=value, NULL-terminated: the user's environment; or NULL */
	const char *profile; /* directory to use instead of etc/portage/make.profile, or NULL */
	struct repo_set *repos; /* opened; outlives the configuration */
};

/*
 * Read the whole configuration (portage-formats §6). What is wrong but can be passed over becomes a
 * warning "FILE:LINE: …"; what cannot fails with file and line.
 */
bool config_load(struct config **out, const struct config_options *o, struct err *e);
void config_free(struct config *c);
const struct strv *config_warnings(const struct config *c);

/* The value of a variable after all layers, "" when it is not set. Incremental ones are stacked. */
const char *config_var(const struct config *c, const char *name);
/* Is a word in the value of a variable? */
bool config_has(const struct config *c, const char *name, const char *word);

/*
 * Decide the USE of a loaded package of a repository: iuse[].on, .forced and .masked, implicit
 * flags. Done once a package; asking again costs nothing.
 */
void config_use(const struct config *c, struct pkg *p);
/* Flags that the user turned on or off for this package by package.use, as tokens. */
void config_user_use(const struct config *c, const struct pkg *p, struct strv *out);

/* Why a package may not be installed; several at once are possible. */
enum mask_kind {
	MASK_EAPI = 1, /* an EAPI that is not known */
	MASK_BROKEN = 2, /* no usable metadata */
	MASK_KEYWORD = 4,
	MASK_PACKAGE = 8, /* package.mask */
	MASK_LICENSE = 16,
	MASK_PROPERTIES = 32,
	MASK_RESTRICT = 64,
};

struct mask {
	unsigned kinds; /* mask_kind, or'ed; 0: visible */
	const char *text; /* "~amd64 keyword, package.mask"; the configuration's, "" when visible */
	struct str keyword; /* MASK_KEYWORD: what to accept: "~amd64" or "**" */
	const struct atom *atom; /* MASK_PACKAGE: the line */
	const char *where; /* MASK_PACKAGE: its file */
	const char *licenses; /* MASK_LICENSE: those that are not accepted, space separated */
};

/* Is a loaded package visible? Its USE is decided for this. *m may be NULL. */
bool config_visible(const struct config *c, struct pkg *p, struct mask *m);

/* An atom of a set, or "@name" in `set`. */
struct set_entry {
	const struct atom *atom; /* NULL: a set */
	const char *set; /* without "@" */
};
struct set_list {
	VEC(struct set_entry) list;
};
/* @system and @profile: of the profile's packages files. */
void config_system(const struct config *c, struct set_list *out);
void config_profile_set(const struct config *c, struct set_list *out);
/* A set of etc/portage/sets/NAME or of a repository's sets/NAME; ENOENT in e->sys: none. out is
 * empty after a failure. */
bool config_set(const struct config *c, const char *name, struct set_list *out, struct err *e);
/* Names of those sets, sorted. */
bool config_sets(const struct config *c, struct strv *names, struct err *e);

/* Is something provided by package.provided that the atom matches? */
bool config_provided(const struct config *c, const struct atom *a);

/* Variables that package.env sets for a package, in order; later ones override earlier ones. */
struct config_assign {
	const char *name, *value;
};
struct config_env {
	VEC(struct config_assign) list;
};
bool config_env(const struct config *c, const struct pkg *p, struct config_env *out, struct err *e);
/*
 * What the build of a package is to see of the user's settings: the variables of make.conf
 * (INSTALL_MASK, too), on them those of package.env, and FEATURES of all layers; sorted by name.
 * What the engine decides itself (PATH, CHOST, MAKEFLAGS, TMPDIR, …), what only chooses or fetches
 * packages, and USE_EXPAND's variables are left out. The strings are the configuration's, the list
 * is the caller's.
 */
bool config_build_env(
	const struct config *c, const struct pkg *p, struct config_env *out, struct err *e);

/* Lines of user files that match no package of any repository, as "FILE:LINE: …" (a whole scan). */
bool config_unmatched(const struct config *c, struct strv *out, struct err *e);

/* Expand an ACCEPT_LICENSE style list: @GROUP by license_groups. */
void config_license_group(const struct config *c, const char *group, struct strv *out);

#endif
