#ifndef PMS_REPO_H
#define PMS_REPO_H

#include "err.h"
#include "map.h"
#include "mem.h"
#include "pkg.h"
#include "vec.h"

struct repo_set;

/* What is known of one category of a repository. */
struct category {
	unsigned asked; /* packages of it that were looked for */
	struct strv
		cached; /* names in metadata/md5-cache/<cat>, sorted; read when many are asked */
	bool read;
};

/* One repository of repos.conf, or one that was named on the command line. */
struct repo {
	const char *name; /* profiles/repo_name, which rules over the section's name */
	const char *path; /* location, expanded */
	int priority; /* of equal versions the one of the highest priority wins */
	const struct repo **masters; /* direct ones, in order */
	size_t n_masters;
	struct str *master_names; /* as layout.conf or repos.conf lists them */
	size_t n_master_names;
	bool implicit_master; /* nothing lists any: the main repository is the master */
	struct str aliases; /* white space separated, from repos.conf and layout.conf */
	struct str profile_formats; /* of layout.conf */
	size_t index; /* in repo_set.list */
	struct repo_set *set;
	int fd, cache_fd; /* of path, and of path/metadata/md5-cache (-1: there is none) */
	struct map categories; /* profiles/categories, its masters' and the user's -> struct
				  category */
};

/* All versions of one cat/pn: the highest version first, of equal ones the winning repository's. */
struct package {
	struct str cp;
	struct pkg **v;
	size_t n;
};

/* Where the metadata of recipes comes from; bind/ implements it with Lua (layers §3). */
struct recipe_source {
	/*
	 * The MD5 (lower-case hex) that a name in _eclasses_ has now; false when there is no such
	 * library any more.
	 */
	bool (*library)(void *ctx, const struct repo *r, struct str name, char hex[33]);
	/*
	 * Evaluate a recipe: append its metadata to *out as lines KEY=value in md5-cache format
	 * with _eclasses_ but without _md5_. path is absolute.
	 */
	bool (*evaluate)(
		void *ctx, const struct pkg *p, const char *path, struct buf *out, struct err *e);
	void *ctx;
};

/* The repositories of a prefix. Not for use by two threads. */
struct repo_set {
	struct arena arena; /* owns what is below, the packages and their metadata */
	VEC(struct repo *) list; /* by rising priority, then in the order of repos.conf */
	const struct repo *main; /* main-repo of repos.conf, or NULL */
	const char *eprefix;
	struct recipe_source recipes; /* zero: recipes are broken packages */
	bool read_only; /* do not write the metadata cache of recipes */
	struct map packages; /* cp -> struct package, those that were asked for */
	struct map atoms[10]; /* text -> struct atom, by EAPI */
	struct strv warnings;
};

/*
 * Read repos.conf (file or directory) below config_root (EPREFIX normally) and open what it names.
 * extra: further "NAME=path" repositories, or NULL. Errors name file and line.
 */
struct repos_options {
	const char *eprefix; /* physical path; ${EPREFIX} in a location becomes it */
	const char *config_root; /* its etc/portage is read */
	const char *text; /* PORTAGE_REPOSITORIES: replaces the files; NULL: read them */
	const char *const *extra; /* NULL-terminated directories that count as repositories too */
};
bool repo_set_open(struct repo_set **out, const struct repos_options *o, struct err *e);
void repo_set_free(struct repo_set *s);

/* By name or alias; NULL when there is none. */
const struct repo *repo_find(const struct repo_set *s, struct str name);

/*
 * All versions of "cat/pn" in all repositories, NULL when there is none. Reads directories when it
 * is asked for the first time; metadata is read by pkg_load only.
 */
const struct package *repo_package(struct repo_set *s, struct str cp);
/* Every package of every repository, sorted by name; a whole scan, for queries and suggestions. */
struct package_list {
	VEC(const struct package *) list;
};
bool repo_all(struct repo_set *s, struct package_list *out, struct err *e);
/* Names "cat/pn" whose pn is the given one, over all categories (short names of emerge). */
bool repo_short_name(struct repo_set *s, struct str pn, struct strv *out, struct err *e);

/*
 * Fill what is below `loaded`. A package whose metadata cannot be had is not an error but `broken`
 * with its `problem`; false means that the world failed (out of files, I/O).
 */
bool pkg_load(struct repo_set *s, struct pkg *p, struct err *e);
/* Fill p from md5-cache lines or from the same fields of a record; text must outlive p. */
void pkg_fill(struct arena *a, struct pkg *p, struct str text);
/* Fill one field, by its name in the cache; unknown names are ignored. */
void pkg_set_field(struct arena *a, struct pkg *p, struct str key, struct str value);
/* To be called when all fields are there: defaults, slot and sub-slot, IUSE. */
void pkg_filled(struct arena *a, struct pkg *p);
/*
 * The parsed dependency field (PKG_DEPEND … PKG_IDEPEND), NULL for an empty one. A string that
 * does not parse makes the package broken and gives false with *e filled.
 */
bool pkg_deps(
	struct arena *a, struct pkg *p, enum pkg_key key, const struct dep **out, struct err *e);
/* The name of a key in the cache: "RDEPEND". */
const char *pkg_key_name(enum pkg_key key);

#endif
