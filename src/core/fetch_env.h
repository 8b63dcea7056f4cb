#ifndef CORE_FETCH_ENV_H
#define CORE_FETCH_ENV_H

#include "fetch.h"

/*
 * The proxy for a URL: the variables that curl knows, in its order and spelling (http_proxy only
 * in lower case: HTTP_PROXY may come from a CGI request), then make.conf. "" when there is none.
 * Borrowed from the environment or from o.
 */
const char *env_proxy(const struct fetch_opts *o, const char *url);
/* Hosts to reach without a proxy, "" when there are none. */
const char *env_no_proxy(const struct fetch_opts *o);

/* Is the host of url in this list of hosts and domains (comma separated, "*" is all)? */
bool env_bypasses_proxy(const char *no_proxy, const char *url);

/* Where the certificates of the authorities are; both may be NULL: none was found. */
struct env_ca {
	char *file, *dir; /* owned */
	const char *origin; /* the variable or key that said so, NULL: found by looking around */
};
/*
 * CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR, REQUESTS_CA_BUNDLE, NIX_SSL_CERT_FILE, then
 * make.conf, then EPREFIX/etc/ssl/certs, then the places that systems are known to use.
 * False when what the user named cannot be read: silently using another would trust others than
 * the user said.
 */
bool env_find_ca(const struct fetch_opts *o, struct env_ca *ca, struct err *e);
void env_ca_fini(struct env_ca *ca);

#endif
