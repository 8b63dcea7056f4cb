#include "fetch_fail.h"

#include <stddef.h>

#define CA_REMEDY                                                                                  \
	"name the right bundle of certificates in SSL_CERT_FILE (environment or make.conf)"
#define PROXY_REMEDY "check http_proxy, https_proxy, all_proxy, no_proxy (environment or make.conf)"
#define NET_REMEDY "check the network, or set http_proxy and https_proxy (environment or make.conf)"

static const struct {
	const char *phrase;
	bool passing, dead;
	const char *remedy;
} kinds[FAIL_KINDS] = {
	[FAIL_NONE] = { "no failure", false, false, NULL },
	[FAIL_NOT_FOUND] = { "not found", false, false, NULL },
	[FAIL_DENIED] = { "access denied", false, false, NULL },
	[FAIL_STATUS] = { "the server said no", false, false, NULL },
	[FAIL_SERVER] = { "server failure", true, false, NULL },
	[FAIL_DNS] = { "host name not found", false, true, NET_REMEDY },
	[FAIL_REFUSED] = { "connection refused", false, true, NET_REMEDY },
	[FAIL_CONNECT_TIMEOUT] = { "no connection in time", false, true, NET_REMEDY },
	[FAIL_UNREACHABLE] = { "host unreachable", false, true, NET_REMEDY },
	[FAIL_RESET] = { "connection reset", true, false, NULL },
	[FAIL_STALL] = { "stalled", true, false, NULL },
	[FAIL_TRUNCATED] = { "truncated", true, false, NULL },
	[FAIL_TOO_LARGE] = { "wrong size, too large", false, false, NULL },
	[FAIL_WRONG_SIZE] = { "wrong size", false, false, NULL },
	[FAIL_WEB_PAGE] = { "a web page instead of the file", false, false,
		"open the address in a browser: a login or captive portal may be in the way" },
	[FAIL_CHECKSUM] = { "wrong checksum", false, false,
		"if the upstream file was replaced, the Manifest has to be updated by its "
		"maintainer" },
	[FAIL_REDIRECT_LOOP] = { "redirect loop", false, false, NULL },
	[FAIL_REDIRECT_DOWNGRADE] = { "redirect from https to http refused", false, false, NULL },
	[FAIL_REDIRECT_BAD] = { "unusable redirect", false, false, NULL },
	[FAIL_TLS_CA] = { "TLS: certificate of an unknown authority", false, false, CA_REMEDY },
	[FAIL_TLS_EXPIRED] = { "TLS: certificate not valid at this time", false, false,
		"check this machine's clock; else the server or " CA_REMEDY },
	[FAIL_TLS_NAME] = { "TLS: certificate is for another host", false, false, NULL },
	[FAIL_TLS] = { "TLS: no secure connection", false, false, CA_REMEDY },
	[FAIL_PROXY_AUTH] = { "proxy wants a password (407)", false, false,
		"put it into http_proxy and https_proxy: http://USER:PASSWORD@HOST:PORT" },
	[FAIL_PROXY] = { "proxy cannot be reached", false, true, PROXY_REMEDY },
	[FAIL_PROXY_STATUS] = { "proxy refuses to connect", false, false, PROXY_REMEDY },
	[FAIL_ADDRESS] = { "unusable address", false, false, NULL },
	[FAIL_DEAD_HOST] = { "not asked, host could not be reached before", false, false, NULL },
	[FAIL_BUDGET] = { "the time for all downloads is used up", false, false, NULL },
	[FAIL_LOCAL] = { "cannot be written", false, false, NULL },
	[FAIL_OFFLINE] = { "not asked, offline", false, false, NULL },
};

const char *fail_phrase(enum fail_kind k)
{
	return kinds[k].phrase;
}

bool fail_is_passing(enum fail_kind k)
{
	return kinds[k].passing;
}

bool fail_is_dead_host(enum fail_kind k)
{
	return kinds[k].dead;
}

const char *fail_remedy(enum fail_kind k)
{
	return kinds[k].remedy;
}
