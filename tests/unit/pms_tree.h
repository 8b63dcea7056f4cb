#ifndef TESTS_UNIT_PMS_TREE_H
#define TESTS_UNIT_PMS_TREE_H

#include "config.h"
#include "repo.h"

/* A prefix with one ebuild repository "main" and a profile, made file by file. */
struct tree {
	char *root; /* EPREFIX */
	struct repo_set *repos;
	struct config *config;
	struct err e;
};

/* Empty but for repos.conf, the repository's name, categories a and b, and a profile link. */
struct tree tree_new(void);
/* Write a file below the prefix; its directories are made. */
void tree_write(struct tree *t, const char *path, const char *text);
/* An ebuild of "main" with its cache entry; more: further cache lines, or "". */
void tree_ebuild(struct tree *t, const char *cpv, const char *more);
/* Open repositories and configuration; env: NULL-terminated or NULL. False with t->e filled. */
bool tree_load(struct tree *t, const char *const *env);
/* The loaded package with decided USE; NULL when there is none. */
struct pkg *tree_pkg(struct tree *t, const char *cpv);
/* Its enabled flags in the order of IUSE, "a b"; borrowed until the next call. */
const char *tree_use(struct tree *t, const char *cpv);
/* Why it is masked, "" when it is not. */
const char *tree_mask(struct tree *t, const char *cpv);
void tree_free(struct tree *t);

#endif
