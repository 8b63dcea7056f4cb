#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "str.h"

#include <stdint.h>

/* A hash table from byte strings to pointers, open addressing. Empty value: zero. Not ordered:
 * never let its order reach a user. */
struct map {
	struct map_slot *slots;
	size_t n, cap; /* entries, slots (a power of two) */
};

struct map_slot {
	struct str key; /* borrowed from the caller: must outlive the map */
	uint64_t hash;
	void *value; /* NULL: the slot is free */
};

#define MAP_INIT ((struct map){ 0 })

/* The value of key, NULL when absent. */
void *map_get(const struct map *m, struct str key);
/* Set key to value (not NULL); an old value is replaced. The key's bytes are borrowed. */
void map_set(struct map *m, struct str key, void *value);
void map_fini(struct map *m);
/* FNV-1a, 64 bits. */
uint64_t map_hash(struct str key);

#endif
