#include "fetch_url.h"

#include "mem.h"
#include "str.h"

#include <stdlib.h>
#include <strings.h>

bool url_is_https(const char *url)
{
	return strncasecmp(url, "https://", 8) == 0;
}

bool url_is_http(const char *url)
{
	return url_is_https(url) || strncasecmp(url, "http://", 7) == 0;
}

/* What stands between "://" and the path, with user and password. */
static struct str authority(const char *url)
{
	const char *at = strstr(url, "://");
	if (at == NULL)
		return (struct str){ url, 0 };
	return (struct str){ at + 3, strcspn(at + 3, "/?#") };
}

/* Length of "user:password@" in front of the host. */
static size_t userinfo_len(struct str a)
{
	size_t n = a.n;
	while (n > 0 && a.p[n - 1] != '@')
		n--;
	return n;
}

static char lower(char c)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	if (c >= 'A' && c <= 'Z')
		return letters[c - 'A'];
	return c;
}

char *url_authority(const char *url)
{
	struct str a = authority(url);
	size_t user = userinfo_len(a);
	struct buf out = BUF_INIT;
	bool port = false;
	for (size_t i = user; i < a.n; i++) {
		char c = a.p[i];
		port = c == ':' || (port && c != ']');
		buf_addc(&out, lower(c));
	}
	if (out.n > 0 && !port)
		buf_adds(&out, url_is_https(url) ? ":443" : ":80");
	return buf_take(&out);
}

static int hex_value(char c)
{
	if (chr_digit(c))
		return c - '0';
	char low = (char)(c | 0x20);
	return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

static char *percent_decoded(const char *s)
{
	struct buf out = BUF_INIT;
	for (; *s != '\0'; s++) {
		int high = *s == '%' ? hex_value(s[1]) : -1;
		int low = high >= 0 ? hex_value(s[2]) : -1;
		if (low >= 0 && high + low > 0) {
			buf_addc(&out, (char)(high * 16 + low));
			s += 2;
		} else {
			buf_addc(&out, *s);
		}
	}
	return buf_take(&out);
}

char *url_local_path(const char *url)
{
	if (url[0] == '/')
		return xstrdup(url);
	if (strncasecmp(url, "file:", 5) != 0)
		return NULL;
	const char *path = url + 5;
	if (strncmp(path, "//", 2) == 0) {
		path += 2;
		if (strncasecmp(path, "localhost/", 10) == 0)
			path += 9;
	}
	return path[0] == '/' ? percent_decoded(path) : NULL;
}

char *url_shown(const char *url)
{
	struct str a = authority(url);
	size_t user = userinfo_len(a);
	const char *colon = user > 0 ? memchr(a.p, ':', user) : NULL;
	if (colon == NULL)
		return xstrdup(url);
	return xasprintf("%.*s:***@%s", (int)(colon - url), url, a.p + user);
}
