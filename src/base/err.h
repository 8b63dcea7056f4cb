#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/* The class of a failure; its number is the exit status of the program (design §7). */
enum err_code {
	ERR_NONE = 0,
	ERR_FAILED = 1, /* something in this program or its files failed */
	ERR_USAGE = 2, /* the request itself is wrong */
	ERR_HOST = 3, /* this host is unfit */
	ERR_SOURCE = 4, /* a source could not be had */
	ERR_BUILD = 5, /* a build failed */
	ERR_CONFLICT = 6, /* no solution, or a conflict */
	ERR_BUSY = 7, /* the prefix is in use by another run */
	ERR_INTERRUPTED = 130, /* stopped by a signal */
};

/* One failure. Empty (all zero) until a function returns false. */
struct err {
	enum err_code code;
	int sys; /* errno where a system call failed, else 0 */
	char what[32]; /* a dotted name for programs: "fetch.checksum" */
	char message[2048];
};

#define ERR_INIT ((struct err){ 0 })

/*
 * Fill *e once, where the failure happened; a set error is never overwritten.
 * Always return false, so that `return err_set(…)` reads well. e may not be NULL.
 */
bool err_set(struct err *e, enum err_code code, const char *what, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same for a failed system call: appends ": " and the text of errno; code is ERR_FAILED. */
bool err_sys(struct err *e, const char *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A caller's one phrase of context, put in front: "unpacking foo: " + message. */
bool err_in(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
