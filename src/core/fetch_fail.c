#include "fetch_fail.h"

#include <stddef.h>

#define CA_REMEDY                                                                                  \
	"name the right bundle of certificates in SSL_CERT_FILE (environment or make.conf)"
#define PROXY_REMEDY "check http_proxy, https_proxy, all_proxy, no_proxy (environment or make.conf)"
#define NET_REMEDY "check the network, or set http_proxy and https_proxy (environment or make.conf)"

/* PLAIN: the phrase says all, the words of the library would only repeat it. */
enum { PASSING = 1, DEAD = 2, PLAIN = 4 };

static const struct {
	const char *phrase;
	unsigned traits;
	const char *remedy;
} kinds[FAIL_KINDS] = {
	[FAIL_NONE] = { "no failure", 0, NULL },
	[FAIL_NOT_FOUND] = { "not found", 0, NULL },
	[FAIL_DENIED] = { "access denied", 0, NULL },
	[FAIL_STATUS] = { "the server said no", 0, NULL },
	[FAIL_SERVER] = { "server failure", PASSING, NULL },
	[FAIL_DNS] = { "host name not found", DEAD | PLAIN, NET_REMEDY },
	[FAIL_REFUSED] = { "connection refused", DEAD | PLAIN, NET_REMEDY },
	[FAIL_CONNECT_TIMEOUT] = { "no connection in time", DEAD | PLAIN, NET_REMEDY },
	[FAIL_UNREACHABLE] = { "host unreachable", DEAD | PLAIN, NET_REMEDY },
	[FAIL_RESET] = { "connection reset", PASSING, NULL },
	[FAIL_STALL] = { "stalled", PASSING | PLAIN, NULL },
	[FAIL_TRUNCATED] = { "truncated", PASSING, NULL },
	[FAIL_TOO_LARGE] = { "wrong size, too large", 0, NULL },
	[FAIL_WRONG_SIZE] = { "wrong size", 0, NULL },
	[FAIL_WEB_PAGE] = { "a web page instead of the file", 0,
		"open the address in a browser: a login or captive portal may be in the way" },
	[FAIL_CHECKSUM] = { "wrong checksum", 0,
		"if the upstream file was replaced, the Manifest has to be updated by its "
		"maintainer" },
	[FAIL_REDIRECT_LOOP] = { "redirect loop", 0, NULL },
	[FAIL_REDIRECT_DOWNGRADE] = { "redirect from https to http refused", 0, NULL },
	[FAIL_REDIRECT_BAD] = { "unusable redirect", 0, NULL },
	[FAIL_TLS_CA] = { "TLS: certificate of an unknown authority", 0, CA_REMEDY },
	[FAIL_TLS_EXPIRED] = { "TLS: certificate not valid at this time", 0,
		"check this machine's clock; else the server or " CA_REMEDY },
	[FAIL_TLS_NAME] = { "TLS: certificate is for another host", 0,
		"another server answers in its place: look for a captive portal or a proxy" },
	[FAIL_TLS] = { "TLS: no secure connection", 0, CA_REMEDY },
	[FAIL_PROXY_AUTH] = { "proxy wants a password (407)", 0,
		"put it into http_proxy and https_proxy: http://USER:PASSWORD@HOST:PORT" },
	[FAIL_PROXY] = { "proxy cannot be reached", DEAD, PROXY_REMEDY },
	[FAIL_PROXY_STATUS] = { "proxy refuses to connect", 0, PROXY_REMEDY },
	[FAIL_ADDRESS] = { "unusable address", 0, NULL },
	[FAIL_DEAD_HOST] = { "not asked, host could not be reached before", 0, NULL },
	[FAIL_BUDGET] = { "the time for all downloads is used up", 0, NULL },
	[FAIL_LOCAL] = { "cannot be written", 0, NULL },
	[FAIL_OFFLINE] = { "not asked, offline", 0, NULL },
};

const char *fail_phrase(enum fail_kind k)
{
	return kinds[k].phrase;
}

bool fail_is_passing(enum fail_kind k)
{
	return (kinds[k].traits & PASSING) != 0;
}

bool fail_is_dead_host(enum fail_kind k)
{
	return (kinds[k].traits & DEAD) != 0;
}

bool fail_is_plain(enum fail_kind k)
{
	return (kinds[k].traits & PLAIN) != 0;
}

const char *fail_remedy(enum fail_kind k)
{
	return kinds[k].remedy;
}
