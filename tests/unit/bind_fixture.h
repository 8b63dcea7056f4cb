#ifndef TESTS_UNIT_BIND_FIXTURE_H
#define TESTS_UNIT_BIND_FIXTURE_H

#include "lua_api.h"
#include "test.h"

/* A repository with one recipe, app-misc/thing-1.2, and a root for it, in a fresh directory. */
struct bind_fixture {
	struct lua *lua;
	char *repo, *root, *work; /* work: the step's work directory */
	struct recipe_ref ref;
	const char *stage; /* "one": the host's tools; "leaks", "guest": these flags besides */
	bool confine; /* run phases in the sandbox */
};

/* The recipe's text; Manifest lists a.tar.gz (5 bytes) and b.tar.gz. */
void bind_fixture_open(struct bind_fixture *f, const char *recipe);
/* A file of the repository, path relative to it. */
void bind_fixture_write(const struct bind_fixture *f, const char *path, const char *text);
void bind_fixture_close(struct bind_fixture *f);

/*
 * Run the phases from unpack to `last` in a stage of the host's tools with the flags of `use`.
 * False with *e filled when one failed.
 */
bool bind_fixture_run(struct bind_fixture *f, const char *use, enum phase last, struct err *e);
/* The content of a file below the work directory, caller's own; NULL: there is none. */
char *bind_fixture_read(const struct bind_fixture *f, const char *path);

#endif
