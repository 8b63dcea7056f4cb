#ifndef CORE_FETCH_H
#define CORE_FETCH_H

#include "err.h"
#include "str.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Source archives into DISTDIR (design §8). Nothing gets its final name before its size and all
 * listed digests match; until then it is DISTDIR/NAME.__download__ (Portage's name), which a
 * later call resumes. One thread, many transfers; meant to be called in a child that may block.
 */

struct mirrors; /* mirror.h */

/* One archive: what it must be, and where it may be had. All strings are borrowed. */
struct fetch_file {
	const char *name; /* in DISTDIR, without '/' */
	uint64_t size; /* bytes, 0: unknown */
	const char *blake2b, *sha512, *sha256; /* lower-case hex, NULL: not known */
	const char *const *uris; /* http(s)://, file://, /path, mirror://NAME/path */
	size_t n_uris;
	bool no_mirrors; /* RESTRICT=mirror: not from GENTOO_MIRRORS */
};

#define FETCH_NONE SIZE_MAX

/* One source of a package: the first alternative that can be had is enough. */
struct fetch_job {
	const char *owner; /* for messages, "sys-devel/make-4.4.1"; may be NULL */
	const struct fetch_file *alternatives;
	size_t n_alternatives;
	size_t chosen; /* result: which alternative is in DISTDIR now, or FETCH_NONE */
};

enum fetch_event_kind {
	FETCH_BEGIN, /* a transfer starts or goes on; done: bytes already there */
	FETCH_PROGRESS, /* a few times a second */
	FETCH_RETRY, /* the same URI will be asked again; message says why and when */
	FETCH_MISS, /* this URI is given up; message says why */
	FETCH_DONE, /* verified and in place */
	FETCH_FAILED, /* no URI is left; message is the whole report for this file */
};
struct fetch_event {
	enum fetch_event_kind kind;
	const char *name, *uri; /* uri may be NULL */
	uint64_t done, total; /* bytes; total 0: unknown */
	const char *message; /* NULL unless said above */
};

/* Zero is a good default for every field but distdir. */
struct fetch_opts {
	const char *distdir; /* made when absent */
	const char *const *mirrors; /* GENTOO_MIRRORS: URLs, file:// or directories */
	size_t n_mirrors;
	const struct mirrors *names; /* for mirror://NAME/ */
	bool offline; /* only DISTDIR and local directories */
	bool brief; /* the caller shows FETCH_FAILED: the error at the end leaves the reasons out */
	unsigned max_files, max_per_host; /* at once; 0: 5 and 2 */
	unsigned tries; /* of one URI after a passing failure; 0: 4 */
	unsigned connect_s, stall_s; /* 0: 8 and 30 */
	unsigned backoff_ms; /* first pause before a retry, doubled each time; 0: 1000 */
	unsigned budget_s; /* for the whole call; 0: none */
	/* make.conf; the environment's variables of the same meaning come first */
	const char *http_proxy, *https_proxy, *no_proxy;
	const char *ca_file, *ca_dir;
	const char *eprefix; /* its etc/ssl/certs is looked at, NULL: none */
	/*
	 * File that the processes of one run share to remember hosts that could not be reached
	 * (remove it when a run starts); NULL: remembered for this call only.
	 */
	const char *dead_hosts;
	void (*event)(void *ctx, const struct fetch_event *event);
	bool (*should_stop)(void *ctx); /* asked at least four times a second */
	void *ctx;
};

/*
 * Bring one alternative of every job into DISTDIR, verified. Goes on after a failure and reports
 * all of them together: ERR_SOURCE, every URI with its reason. ERR_INTERRUPTED when should_stop
 * said so, ERR_FAILED when DISTDIR cannot be written (full, read-only). jobs[i].chosen is set in
 * any case.
 */
bool fetch_all(const struct fetch_opts *o, struct fetch_job *jobs, size_t n, struct err *e);

/*
 * Is the file in distdir and just what it must be? *good says so; false only for a failure to
 * read. A file that was verified before and has not been touched since (device, inode, size,
 * mtime, ctime) is not read again; DISTDIR/.eprefix-verified remembers.
 */
bool fetch_check(const char *distdir, const struct fetch_file *file, bool *good, struct err *e);

/* Index of the first alternative that fetch_check finds good, FETCH_NONE when there is none. */
bool fetch_present(const char *distdir, const struct fetch_job *job, size_t *index, struct err *e);

/*
 * Append where each alternative can be had, to carry to another machine: per URI a line
 * "URL<TAB>SIZE<TAB>BLAKE2B=hex SHA512=hex<TAB>NAME", mirrors first, as fetch_all would ask.
 */
void fetch_list(const struct fetch_opts *o, const struct fetch_job *job, struct buf *out);

#endif
