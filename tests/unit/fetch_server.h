#ifndef TESTS_UNIT_FETCH_SERVER_H
#define TESTS_UNIT_FETCH_SERVER_H

#include "fetch.h"
#include "test.h"

/*
 * tests/server/server.py beside a test, and one file to get from it. All of a test's server is in
 * one value; end it with server_stop.
 */
struct server {
	long pid; /* 0: could not be started (no python3) */
	char *dir; /* log, port and root/data.bin are there */
	char *url; /* "http://127.0.0.1:PORT" */
};

enum { DATA_BYTES = 300000 };

/* args: further options of server.py, NULL-terminated, or NULL. False: the test was skipped. */
bool server_start(struct server *s, const char *const *args);
void server_stop(struct server *s);
/* What the server was asked so far (its log), the caller's own. */
char *server_log(const struct server *s);

/* What one fetch_all of data.bin did. */
struct attempt {
	struct fetch_opts opts; /* set before; distdir is filled in */
	char *distdir; /* fresh unless set before */
	bool ok;
	bool wrong_digests; /* expect other digests than the server's file has */
	struct err e;
	struct buf events; /* "BEGIN URI\n", "RETRY …: message\n", … */
};
/* Get data.bin from the addresses (base + path each; an absolute one as it is). */
void attempt_run(struct attempt *a, const struct server *s, const char *const *paths);
void attempt_fini(struct attempt *a);
/* Is the file in place, with the right bytes? */
bool attempt_has_data(const struct attempt *a, const struct server *s);
/* How often text occurs in s. */
unsigned count_of(const char *s, const char *text);

#endif
