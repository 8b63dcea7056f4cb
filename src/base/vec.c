#include "vec.h"

#include <string.h>

void *vec_room(void *v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap > 0 ? *cap * 2 : 8;
	return xrealloc(v, *cap * size);
}

void strv_push(struct strv *x, const char *s)
{
	strv_own(x, xstrdup(s));
}

void strv_own(struct strv *x, char *s)
{
	vec_push(x, s);
}

bool strv_has(const struct strv *x, const char *s)
{
	for (size_t i = 0; i < x->n; i++) {
		if (strcmp(x->v[i], s) == 0)
			return true;
	}
	return false;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *x)
{
	if (x->n > 1)
		qsort(x->v, x->n, sizeof *x->v, by_bytes);
}

void strv_fini(struct strv *x)
{
	for (size_t i = 0; i < x->n; i++)
		free(x->v[i]);
	vec_fini(x);
}
