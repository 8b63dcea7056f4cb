#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "engine.h"
#include "vdb.h"

/* What the verbs of `eprefix query` share. Output is collected, and printed by the command. */
struct query {
	struct cli *cli;
	const char *prefix; /* EPREFIX */
	int root;
	struct vdb *vdb;
	struct vdb_list packages; /* what the operands selected, in the order of the database */
	char **operands; /* NULL-terminated, as typed */
	struct engine engine; /* --available: repositories and configuration */
	VEC(struct pkg *) available; /* what the operands selected there */
	struct arena arena;
	struct buf out;
	size_t n; /* JSON objects in out so far */
};

/* One verb; false with *e filled. */
typedef bool query_verb(struct query *q, struct err *e);

query_verb query_list, query_meta, query_uses, query_size; /* query_list.c */
query_verb query_files, query_owner, query_check; /* query_files.c */
query_verb query_depends, query_rdepends; /* query_deps.c */

/* --available: select packages of the repositories, all without an operand; query_repo.c. */
query_verb query_available;
query_verb query_list_available, query_meta_available, query_uses_available;
query_verb query_depends_available, query_rdepends_available; /* query_repo_deps.c */
/* "cat/pf" and what follows it, or the beginning of its JSON object. */
void query_begin(struct query *q, const struct pkg *p, const char *behind);

/* Start a JSON object for a package: {"cpv": "…"; the caller closes it. */
void query_object(struct query *q, const struct vdb_pkg *p);
/* Append , "name": "value" to it. */
void query_member(struct query *q, const char *name, const char *value);
/* Append "cat/pf". */
void query_cpv(struct buf *out, const struct vdb_pkg *p);

#endif
