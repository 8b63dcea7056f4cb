#include "str.h"

#include "mem.h"

#include <stdio.h>
#include <stdlib.h>

bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_is(struct str a, const char *b)
{
	return str_eq(a, str_of(b));
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n > 0 ? memcmp(a.p, b.p, n) : 0;
	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

bool str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

bool str_ends(struct str s, const char *suffix)
{
	size_t n = strlen(suffix);
	return s.n >= n && memcmp(s.p + s.n - n, suffix, n) == 0;
}

struct str str_trim(struct str s)
{
	while (s.n > 0 && chr_space(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && chr_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_split(struct str *rest, char sep, struct str *part)
{
	if (rest->p == NULL || rest->n == 0)
		return false;
	const char *at = memchr(rest->p, sep, rest->n);
	if (at == NULL) {
		*part = *rest;
		*rest = (struct str){ NULL, 0 };
		return true;
	}
	*part = (struct str){ rest->p, (size_t)(at - rest->p) };
	rest->n -= part->n + 1;
	rest->p = at + 1;
	return true;
}

bool str_word(struct str *rest, struct str *word)
{
	while (rest->n > 0 && chr_space(rest->p[0])) {
		rest->p++;
		rest->n--;
	}
	if (rest->n == 0)
		return false;
	*word = (struct str){ rest->p, 0 };
	while (rest->n > 0 && !chr_space(rest->p[0])) {
		rest->p++;
		rest->n--;
		word->n++;
	}
	return true;
}

bool chr_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool chr_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool chr_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool chr_alnum(char c)
{
	return chr_alpha(c) || chr_digit(c);
}

static void reserve(struct buf *b, size_t more)
{
	if (b->cap - b->n > more)
		return;
	size_t cap = b->cap > 0 ? b->cap : 64;
	while (cap - b->n <= more)
		cap *= 2;
	b->p = xrealloc(b->p, cap);
	b->cap = cap;
}

void buf_add(struct buf *b, const void *data, size_t n)
{
	reserve(b, n);
	if (n > 0)
		memcpy(b->p + b->n, data, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_add_str(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.n);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *s = xvasprintf(fmt, ap);
	va_end(ap);
	buf_adds(b, s);
	free(s);
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->p != NULL)
		b->p[0] = '\0';
}

const char *buf_str(const struct buf *b)
{
	return b->p != NULL ? b->p : "";
}

char *buf_take(struct buf *b)
{
	char *s = b->p != NULL ? b->p : xstrdup("");
	*b = BUF_INIT;
	return s;
}

void buf_fini(struct buf *b)
{
	free(b->p);
	*b = BUF_INIT;
}

/* Length of the valid UTF-8 sequence at s, 0 when there is none (RFC 3629, no surrogates). */
static size_t utf8_len(const unsigned char *s, size_t n)
{
	if (s[0] < 0x80)
		return 1;
	size_t len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
	bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
	return overlong || beyond ? 0 : len;
}

static void json_ascii(struct buf *b, unsigned char c)
{
	static const char *const named = "\"\\\b\f\n\r\t";
	static const char letters[] = "\"\\bfnrt";
	const char *at = c != '\0' ? strchr(named, c) : NULL;
	if (at != NULL) {
		buf_addc(b, '\\');
		buf_addc(b, letters[at - named]);
	} else if (c < 0x20 || c == 0x7f) {
		buf_printf(b, "\\u%04x", (unsigned)c);
	} else {
		buf_addc(b, (char)c);
	}
}

void buf_json(struct buf *b, struct str s)
{
	buf_addc(b, '"');
	for (size_t i = 0; i < s.n;) {
		const unsigned char *p = (const unsigned char *)s.p + i;
		size_t len = utf8_len(p, s.n - i);
		if (len == 1)
			json_ascii(b, *p);
		else if (len == 0)
			buf_adds(b, "\\ufffd");
		else
			buf_add(b, p, len);
		i += len > 0 ? len : 1;
	}
	buf_addc(b, '"');
}
