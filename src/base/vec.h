#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "mem.h"

#include <stdbool.h>
#include <stdlib.h>

/*
 * A typed vector: `VEC(struct step) steps = { 0 };`, then vec_push(&steps, x), steps.v[i], steps.n.
 * The vector owns its storage, not what the items point to.
 */
#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *v;                                                                              \
		size_t n, cap;                                                                     \
	}

#define vec_push(x, ...)                                                                           \
	((x)->v = vec_room((x)->v, (x)->n, &(x)->cap, sizeof *(x)->v),                             \
		(void)((x)->v[(x)->n++] = __VA_ARGS__))
#define vec_fini(x) (free((x)->v), (x)->v = NULL, (x)->n = (x)->cap = 0)

/* Storage with room for one more item than n. */
void *vec_room(void *v, size_t n, size_t *cap, size_t size);

/* A vector of owned strings. */
struct strv {
	char **v;
	size_t n, cap;
};

#define STRV_INIT ((struct strv){ 0 })

/* Add a copy of s. */
void strv_push(struct strv *x, const char *s);
/* Add s itself; the vector owns it from now on. */
void strv_own(struct strv *x, char *s);
bool strv_has(const struct strv *x, const char *s);
/* Sort by bytes. */
void strv_sort(struct strv *x);
void strv_fini(struct strv *x);

#endif
