#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

/* Allocators that abort when memory is out: that is not an error path (design §3). */
void *xmalloc(size_t n);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t n);
void *xmemdup(const void *p, size_t n);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
/* printf into a new string, owned by the caller. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

struct arena_block;

/* A bump allocator: everything in it lives until arena_fini. Empty value: all zero. */
struct arena {
	struct arena_block *head;
	size_t used; /* bytes handed out, for statistics */
};

#define ARENA_INIT ((struct arena){ 0 })

/* Memory aligned for any object, not zeroed; owned by the arena. */
void *arena_alloc(struct arena *a, size_t n);
void *arena_calloc(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Frees everything; the arena is empty and usable again. */
void arena_fini(struct arena *a);

#endif
