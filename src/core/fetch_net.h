#ifndef CORE_FETCH_NET_H
#define CORE_FETCH_NET_H

#include "err.h"
#include "fetch_fail.h"
#include "str.h"

#include <stdint.h>

/*
 * Transfers over HTTP(S), many at once in one thread. Redirects are not followed here: the caller
 * decides, so that every hop is subject to its rules. Implemented by fetch_curl.c alone.
 */
struct net;

struct net_opts {
	const char *user_agent;
	const char *ca_file, *ca_dir; /* NULL: the library's own default */
	unsigned connect_s, stall_s;
};

/* What the server said before the body. */
struct net_head {
	long status;
	int64_t length; /* of this body, -1: not said */
	int64_t range_start, range_total; /* Content-Range of a 206, -1: absent */
	struct buf etag, last_modified, content_type;
};

struct net_request {
	const char *url;
	const char *proxy; /* "": none */
	const char *no_proxy; /* hosts to reach without it */
	uint64_t offset; /* of the first byte wanted */
	const char *if_range; /* validator of what is there, NULL: none */
	/* Part of the body; false stops the transfer, the caller knows why. */
	bool (*body)(void *ctx, const struct net_head *head, const void *data, size_t n);
	void *ctx;
};

/* How a transfer ended. kind is FAIL_NONE for any answer below 400 that came whole. */
struct net_result {
	enum fail_kind kind;
	bool stopped; /* by body() */
	struct net_head head;
	char *location; /* absolute URL of a redirect, or NULL */
	unsigned retry_after_s;
	char detail[256]; /* the library's words */
};
void net_result_fini(struct net_result *r);

struct net *net_open(const struct net_opts *o, struct err *e);
/* Stops what is running. Accepts NULL. */
void net_close(struct net *n);
/* Begin; *id is the handle of this transfer. The request's strings are copied. */
bool net_start(struct net *n, const struct net_request *r, struct err *e);
/* Move bytes, waiting at most timeout_ms for something to happen. */
bool net_poll(struct net *n, unsigned timeout_ms, struct err *e);
/* One ended transfer: its ctx and result, which the caller releases. False: none. */
bool net_ended(struct net *n, void **ctx, struct net_result *r);
/* End the transfer of this ctx without a result. */
void net_cancel(struct net *n, void *ctx);

#endif
