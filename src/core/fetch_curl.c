#include "fetch_net.h"

#include "mem.h"
#include "vec.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { HEADER_MAX = 512, LOW_SPEED_BYTES = 16 };

struct transfer {
	CURL *easy;
	struct curl_slist *headers;
	struct net_head head;
	bool (*body)(void *ctx, const struct net_head *head, const void *data, size_t n);
	void *ctx;
	bool stopped, proxied;
	char text[CURL_ERROR_SIZE];
	struct transfer *next;
};

struct net {
	CURLM *multi;
	char *user_agent, *ca_file, *ca_dir;
	unsigned connect_s, stall_s;
	struct transfer *running;
};

static void head_fini(struct net_head *h)
{
	buf_fini(&h->etag);
	buf_fini(&h->last_modified);
	buf_fini(&h->content_type);
}

static void head_clear(struct net_head *h)
{
	buf_clear(&h->etag);
	buf_clear(&h->last_modified);
	buf_clear(&h->content_type);
	h->status = 0;
	h->length = h->range_start = h->range_total = -1;
}

void net_result_fini(struct net_result *r)
{
	head_fini(&r->head);
	free(r->location);
	*r = (struct net_result){ 0 };
}

static char *dup_or_null(const char *s)
{
	return s != NULL ? xstrdup(s) : NULL;
}

struct net *net_open(const struct net_opts *o, struct err *e)
{
	if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) {
		err_set(e, ERR_FAILED, "fetch.init", "libcurl cannot be initialised");
		return NULL;
	}
	struct net *n = xcalloc(1, sizeof *n);
	n->multi = curl_multi_init();
	n->user_agent = xasprintf("%s %s", o->user_agent, curl_version());
	n->ca_file = dup_or_null(o->ca_file);
	n->ca_dir = dup_or_null(o->ca_dir);
	n->connect_s = o->connect_s;
	n->stall_s = o->stall_s;
	if (n->multi != NULL)
		return n;
	net_close(n);
	err_set(e, ERR_FAILED, "fetch.init", "libcurl cannot be initialised");
	return NULL;
}

static void transfer_free(struct net *n, struct transfer *t)
{
	curl_multi_remove_handle(n->multi, t->easy);
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	head_fini(&t->head);
	free(t);
}

void net_close(struct net *n)
{
	if (n == NULL)
		return;
	while (n->running != NULL) {
		struct transfer *t = n->running;
		n->running = t->next;
		transfer_free(n, t);
	}
	curl_multi_cleanup(n->multi);
	free(n->user_agent);
	free(n->ca_file);
	free(n->ca_dir);
	free(n);
	curl_global_cleanup();
}

static bool header_is(struct str line, const char *name, struct str *value)
{
	size_t n = strlen(name);
	if (line.n <= n || line.p[n] != ':' || strncasecmp(line.p, name, n) != 0)
		return false;
	*value = str_trim((struct str){ line.p + n + 1, line.n - n - 1 });
	if (value->n > HEADER_MAX)
		value->n = HEADER_MAX;
	return true;
}

static void keep(struct buf *b, struct str value)
{
	buf_clear(b);
	buf_add_str(b, value);
}

/* "bytes 100-199/1000" of RFC 9110 §14.4; "*" leaves -1. */
static void parse_range(struct net_head *h, struct str value)
{
	char text[HEADER_MAX + 1];
	snprintf(text, sizeof text, "%.*s", STR_ARG(value));
	char *at = strpbrk(text, "0123456789*");
	const char *slash = strchr(text, '/');
	if (at != NULL && chr_digit(*at))
		h->range_start = strtoll(at, NULL, 10);
	if (slash != NULL && chr_digit(slash[1]))
		h->range_total = strtoll(slash + 1, NULL, 10);
}

static size_t on_header(char *data, size_t size, size_t count, void *user)
{
	struct transfer *t = user;
	struct str line = { data, size * count }, v;
	if (str_starts(line, "HTTP/"))
		head_clear(&t->head);
	else if (header_is(line, "ETag", &v))
		keep(&t->head.etag, v);
	else if (header_is(line, "Last-Modified", &v))
		keep(&t->head.last_modified, v);
	else if (header_is(line, "Content-Type", &v))
		keep(&t->head.content_type, v);
	else if (header_is(line, "Content-Range", &v))
		parse_range(&t->head, v);
	return size * count;
}

static void read_head(struct transfer *t)
{
	curl_off_t length = -1;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->head.status);
	curl_easy_getinfo(t->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	t->head.length = (int64_t)length;
}

static size_t on_body(char *data, size_t size, size_t count, void *user)
{
	struct transfer *t = user;
	size_t n = size * count;
	read_head(t);
	if (t->head.status != 200 && t->head.status != 206)
		return n; /* the text of a refusal or a redirect */
	if (t->body(t->ctx, &t->head, data, n))
		return n;
	t->stopped = true;
	return n > 0 ? 0 : 1;
}

static void set_request(struct net *n, struct transfer *t, const struct net_request *r)
{
	CURL *c = t->easy;
	curl_easy_setopt(c, CURLOPT_URL, r->url);
	curl_easy_setopt(c, CURLOPT_PROXY, r->proxy != NULL ? r->proxy : "");
	curl_easy_setopt(c, CURLOPT_NOPROXY, r->no_proxy != NULL ? r->no_proxy : "");
	curl_easy_setopt(c, CURLOPT_USERAGENT, n->user_agent);
	if (n->ca_file != NULL)
		curl_easy_setopt(c, CURLOPT_CAINFO, n->ca_file);
	if (n->ca_dir != NULL)
		curl_easy_setopt(c, CURLOPT_CAPATH, n->ca_dir);
	if (r->offset > 0) {
		/* Not CURLOPT_RESUME_FROM: that makes an error of a server that ignores Range. */
		char range[32];
		snprintf(range, sizeof range, "%llu-", (unsigned long long)r->offset);
		curl_easy_setopt(c, CURLOPT_RANGE, range);
	}
	if (r->offset > 0 && r->if_range != NULL) {
		char *line = xasprintf("If-Range: %s", r->if_range);
		t->headers = curl_slist_append(t->headers, line);
		curl_easy_setopt(c, CURLOPT_HTTPHEADER, t->headers);
		free(line);
	}
}

static void set_manners(struct net *n, struct transfer *t)
{
	CURL *c = t->easy;
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
	/* A look-up that was given up must not be waited for when its transfer is released. */
	curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);
#endif
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)n->connect_s);
	curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, (long)LOW_SPEED_BYTES);
	curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)n->stall_s);
	curl_easy_setopt(c, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->text);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(c, CURLOPT_PRIVATE, t);
}

bool net_start(struct net *n, const struct net_request *r, struct err *e)
{
	struct transfer *t = xcalloc(1, sizeof *t);
	t->body = r->body;
	t->ctx = r->ctx;
	t->proxied = r->proxy != NULL && r->proxy[0] != '\0';
	head_clear(&t->head);
	t->easy = curl_easy_init();
	if (t->easy == NULL) {
		free(t);
		return err_set(e, ERR_FAILED, "fetch.init", "libcurl cannot start a transfer");
	}
	set_manners(n, t);
	set_request(n, t, r);
	t->next = n->running;
	n->running = t;
	if (curl_multi_add_handle(n->multi, t->easy) == CURLM_OK)
		return true;
	n->running = t->next;
	transfer_free(n, t);
	return err_set(e, ERR_FAILED, "fetch.init", "libcurl cannot start %s", r->url);
}

bool net_poll(struct net *n, unsigned timeout_ms, struct err *e)
{
	int running = 0;
	CURLMcode rc = curl_multi_perform(n->multi, &running);
	if (rc == CURLM_OK)
		rc = curl_multi_poll(n->multi, NULL, 0, (int)timeout_ms, NULL);
	if (rc == CURLM_OK)
		rc = curl_multi_perform(n->multi, &running);
	return rc == CURLM_OK ||
	       err_set(e, ERR_FAILED, "fetch.poll", "libcurl: %s", curl_multi_strerror(rc));
}

static bool has_word(const char *text, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (strcasestr(text, *words) != NULL)
			return true;
	}
	return false;
}

/*
 * libcurl has one code for all doubts about a certificate; only its words, which are those of the
 * TLS library (OpenSSL, mbedTLS, GnuTLS), tell them apart.
 */
static enum fail_kind tls_kind(const char *text)
{
	static const char *const time[] = { "expired", "not yet valid", "BADCERT_FUTURE", NULL };
	static const char *const name[] = { "CN_MISMATCH", "does not match", "subject name",
		"host name", "hostname", NULL };
	static const char *const authority[] = { "NOT_TRUSTED", "issuer", "self-signed",
		"self signed", "unknown CA", "trusted", "unable to get local", NULL };
	if (has_word(text, time))
		return FAIL_TLS_EXPIRED;
	if (has_word(text, name))
		return FAIL_TLS_NAME;
	return has_word(text, authority) ? FAIL_TLS_CA : FAIL_TLS;
}

static bool used_proxy(const struct transfer *t)
{
#if LIBCURL_VERSION_NUM >= 0x080700
	long used = 0;
	if (curl_easy_getinfo(t->easy, CURLINFO_USED_PROXY, &used) == CURLE_OK)
		return used != 0;
#endif
	return t->proxied;
}

static enum fail_kind timeout_kind(const struct transfer *t)
{
	curl_off_t connected = 0;
	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
	if (connected > 0)
		return FAIL_STALL;
	return used_proxy(t) ? FAIL_PROXY : FAIL_CONNECT_TIMEOUT;
}

static enum fail_kind connect_kind(const struct transfer *t)
{
	long sys = 0;
	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &sys);
	if (sys == ENETUNREACH || sys == EHOSTUNREACH || sys == ENETDOWN)
		return FAIL_UNREACHABLE;
	return sys == ETIMEDOUT ? FAIL_CONNECT_TIMEOUT : FAIL_REFUSED;
}

static enum fail_kind status_kind(long status)
{
	if (status == 404 || status == 410)
		return FAIL_NOT_FOUND;
	if (status == 407)
		return FAIL_PROXY_AUTH;
	if (status == 401 || status == 403 || status == 451)
		return FAIL_DENIED;
	if (status >= 500 || status == 408 || status == 425 || status == 429)
		return FAIL_SERVER;
	return status >= 400 ? FAIL_STATUS : FAIL_NONE;
}

static enum fail_kind kind_of(const struct transfer *t, CURLcode rc)
{
	long tunnel = 0;
	switch (rc) {
	case CURLE_OK:
		return status_kind(t->head.status);
	case CURLE_COULDNT_RESOLVE_HOST:
		return FAIL_DNS;
	case CURLE_COULDNT_RESOLVE_PROXY:
		return FAIL_PROXY;
	case CURLE_COULDNT_CONNECT:
		return used_proxy(t) ? FAIL_PROXY : connect_kind(t);
	case CURLE_OPERATION_TIMEDOUT:
		return timeout_kind(t);
	case CURLE_PARTIAL_FILE:
		return FAIL_TRUNCATED;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_ENGINE_INITFAILED:
		return tls_kind(t->text);
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL:
		return FAIL_ADDRESS;
	default:
		curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &tunnel);
		if (tunnel == 407)
			return FAIL_PROXY_AUTH;
		return tunnel >= 400 ? FAIL_PROXY_STATUS : FAIL_RESET;
	}
}

/* TLS libraries like to end their words with a line break. */
static void one_line(char *out, size_t size, const char *text)
{
	struct str s = str_trim(str_of(text));
	snprintf(out, size, "%.*s", STR_ARG(s));
	for (char *c = out; *c != '\0'; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
}

static void fill_result(struct transfer *t, CURLcode rc, struct net_result *r)
{
	const char *location = NULL;
	*r = (struct net_result){ .stopped = t->stopped };
	read_head(t);
	r->kind = t->stopped ? FAIL_NONE : kind_of(t, rc);
	if (curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &location) == CURLE_OK)
		r->location = dup_or_null(location);
	if (rc != CURLE_OK)
		one_line(r->detail, sizeof r->detail,
			t->text[0] != '\0' ? t->text : curl_easy_strerror(rc));
#if LIBCURL_VERSION_NUM >= 0x074200
	curl_off_t after = 0;
	if (curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &after) == CURLE_OK && after > 0)
		r->retry_after_s = after < 60 ? (unsigned)after : 60;
#endif
	r->head = t->head;
	t->head = (struct net_head){ 0 };
}

static void unlink_transfer(struct net *n, struct transfer *t)
{
	struct transfer **at = &n->running;
	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	transfer_free(n, t);
}

bool net_ended(struct net *n, void **ctx, struct net_result *r)
{
	const CURLMsg *msg;
	int left = 0;
	while ((msg = curl_multi_info_read(n->multi, &left)) != NULL) {
		if (msg->msg != CURLMSG_DONE)
			continue;
		struct transfer *t = NULL;
		CURLcode rc = msg->data.result;
		curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&t);
		*ctx = t->ctx;
		fill_result(t, rc, r);
		unlink_transfer(n, t);
		return true;
	}
	return false;
}

void net_cancel(struct net *n, void *ctx)
{
	struct transfer *t = n->running;
	while (t != NULL && t->ctx != ctx)
		t = t->next;
	if (t != NULL)
		unlink_transfer(n, t);
}
