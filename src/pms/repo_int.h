#ifndef PMS_REPO_INT_H
#define PMS_REPO_INT_H

#include "repo.h"

/* What repos.conf says about one repository. */
struct repo_spec {
	struct str section; /* empty: not from repos.conf */
	const char *file;
	unsigned line;
	int priority;
	bool has_masters; /* masters of repos.conf replace those of layout.conf */
	struct str masters, aliases;
};

/* Open the repository at path and add it to the set. Errors name file and line of the spec. */
bool repo_open(struct repo_set *s, const char *path, const struct repo_spec *spec, struct err *e);
/* Find the masters by their names; an unknown one becomes a warning. */
void repo_link_masters(struct repo_set *s, struct repo *r);
/* Fill r->categories; its masters' are its own too. */
void repo_read_categories(struct repo_set *s, struct repo *r, const char *config_root);

/* recipe.c: metadata of a recipe, from the cache or anew, as the arena's text. */
bool recipe_metadata(struct repo_set *s, struct pkg *p, struct str *text, struct err *e);
/* Make the package broken, with a reason. */
void pkg_broken(struct arena *a, struct pkg *p, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
