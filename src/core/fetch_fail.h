#ifndef CORE_FETCH_FAIL_H
#define CORE_FETCH_FAIL_H

#include <stdbool.h>

/* Why an address did not give the file. Each is told apart in the message (fetch_fail.c). */
enum fail_kind {
	FAIL_NONE,
	FAIL_NOT_FOUND, /* 404, 410, absent local file */
	FAIL_DENIED, /* 401, 403, 451 */
	FAIL_STATUS, /* any other status that says no */
	FAIL_SERVER, /* 5xx, 408, 425, 429: may pass */
	FAIL_DNS,
	FAIL_REFUSED,
	FAIL_CONNECT_TIMEOUT,
	FAIL_UNREACHABLE,
	FAIL_RESET,
	FAIL_STALL,
	FAIL_TRUNCATED,
	FAIL_TOO_LARGE,
	FAIL_WRONG_SIZE,
	FAIL_WEB_PAGE,
	FAIL_CHECKSUM,
	FAIL_REDIRECT_LOOP,
	FAIL_REDIRECT_DOWNGRADE,
	FAIL_REDIRECT_BAD,
	FAIL_TLS_CA,
	FAIL_TLS_EXPIRED,
	FAIL_TLS_NAME,
	FAIL_TLS,
	FAIL_PROXY_AUTH,
	FAIL_PROXY, /* the proxy itself cannot be reached */
	FAIL_PROXY_STATUS, /* it answers, and says no */
	FAIL_ADDRESS, /* scheme or URL that cannot be used */
	FAIL_DEAD_HOST, /* could not be reached earlier in this run */
	FAIL_BUDGET, /* the time for all downloads is used up */
	FAIL_LOCAL, /* DISTDIR cannot be written: ends the whole call */
	FAIL_OFFLINE,
	FAIL_KINDS,
};

/* A short phrase, "host not found". */
const char *fail_phrase(enum fail_kind k);
/* Worth asking the same address again after a pause? */
bool fail_is_passing(enum fail_kind k);
/* Does it say that the host cannot be reached at all? */
bool fail_is_dead_host(enum fail_kind k);
/* Does the phrase say all, so that the words of the library would only repeat it? */
bool fail_is_plain(enum fail_kind k);
/* What the user can do about it, one line, or NULL. */
const char *fail_remedy(enum fail_kind k);

#endif
