#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A borrowed slice; not NUL-terminated, may hold any bytes. */
struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })
#define STR_ARG(s) (int)(s).n, (s).p /* for "%.*s" */

static inline struct str str_of(const char *s)
{
	return (struct str){ s, s != NULL ? strlen(s) : 0 };
}

bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *b);
/* Order of bytes, then of length: <0, 0, >0. */
int str_cmp(struct str a, struct str b);
bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
/* Without ASCII white space at both ends. */
struct str str_trim(struct str s);
/*
 * Take the next part of *rest up to sep (str_split) or the next run of bytes that are not
 * ASCII white space (str_word). False when nothing is left. "a::b" splits into a, "", b; "" into
 * nothing.
 */
bool str_split(struct str *rest, char sep, struct str *part);
bool str_word(struct str *rest, struct str *word);

/* ASCII only and locale-free: a Turkish locale changes nothing here. */
bool chr_space(char c);
bool chr_digit(char c);
bool chr_alpha(char c);
bool chr_alnum(char c);

/* An owned, growing string; always NUL-terminated once something was added. Empty value: zero. */
struct buf {
	char *p;
	size_t n, cap;
};

#define BUF_INIT ((struct buf){ 0 })

void buf_add(struct buf *b, const void *data, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_add_str(struct buf *b, struct str s);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Keep the storage, forget the content. */
void buf_clear(struct buf *b);
/* The content as a borrowed string, "" when empty. */
const char *buf_str(const struct buf *b);
/* The content as the caller's own string (never NULL); the buffer is empty afterwards. */
char *buf_take(struct buf *b);
void buf_fini(struct buf *b);
/* Append s as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void buf_json(struct buf *b, struct str s);

#endif
