#ifndef CORE_FETCH_URL_H
#define CORE_FETCH_URL_H

#include <stdbool.h>

/* The few questions that downloading asks of a URL (RFC 3986). Results are the caller's own. */

bool url_is_http(const char *url); /* http:// or https:// in any case */
bool url_is_https(const char *url);
/* "host:port" in lower case with the scheme's default port; "" when there is no host. */
char *url_authority(const char *url);
/* The path of "file:///x%20y" or "/x y", decoded; NULL for anything else. */
char *url_local_path(const char *url);
/* For people: a password in it is replaced by ***. */
char *url_shown(const char *url);

#endif
