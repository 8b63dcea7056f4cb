#include "mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	max_align_t data[];
};

static void *checked(void *p)
{
	if (p == NULL) {
		fputs("eprefix: out of memory\n", stderr);
		abort();
	}
	return p;
}

void *xmalloc(size_t n)
{
	return checked(malloc(n > 0 ? n : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *xrealloc(void *p, size_t n)
{
	return checked(realloc(p, n > 0 ? n : 1));
}

void *xmemdup(const void *p, size_t n)
{
	void *copy = xmalloc(n);
	if (n > 0)
		memcpy(copy, p, n);
	return copy;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);
	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		abort();
	char *s = xmalloc((size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

static size_t aligned(size_t n)
{
	const size_t a = _Alignof(max_align_t);
	return (n + a - 1) / a * a;
}

void *arena_alloc(struct arena *a, size_t n)
{
	if (n > SIZE_MAX / 2)
		checked(NULL);
	size_t need = aligned(n > 0 ? n : 1);
	struct arena_block *b = a->head;
	if (b == NULL || b->size - b->used < need) {
		size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;
		b = xmalloc(sizeof *b + size);
		*b = (struct arena_block){ .next = a->head, .size = size };
		a->head = b;
	}
	void *p = (char *)b->data + b->used;
	b->used += need;
	a->used += need;
	return p;
}

void *arena_calloc(struct arena *a, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / size)
		checked(NULL);
	void *p = arena_alloc(a, count * size);
	memset(p, 0, count * size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = arena_alloc(a, len + 1);
	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *s = xvasprintf(fmt, ap);
	va_end(ap);
	char *copy = arena_strdup(a, s);
	free(s);
	return copy;
}

void arena_fini(struct arena *a)
{
	for (struct arena_block *b = a->head, *next; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	*a = ARENA_INIT;
}
