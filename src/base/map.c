#include "map.h"

#include "mem.h"

#include <stdlib.h>

uint64_t map_hash(struct str key)
{
	uint64_t h = 0xcbf29ce484222325U;
	for (size_t i = 0; i < key.n; i++)
		h = (h ^ (unsigned char)key.p[i]) * 0x100000001b3U;
	return h;
}

/* The slot that holds key, or the free one where it belongs. cap > n. */
static struct map_slot *find(const struct map *m, struct str key, uint64_t hash)
{
	size_t i = hash & (m->cap - 1);
	while (m->slots[i].value != NULL) {
		if (m->slots[i].hash == hash && str_eq(m->slots[i].key, key))
			break;
		i = (i + 1) & (m->cap - 1);
	}
	return &m->slots[i];
}

void *map_get(const struct map *m, struct str key)
{
	return m->n > 0 ? find(m, key, map_hash(key))->value : NULL;
}

static void grow(struct map *m)
{
	struct map bigger = { .cap = m->cap > 0 ? m->cap * 2 : 16, .n = m->n };
	bigger.slots = xcalloc(bigger.cap, sizeof *bigger.slots);
	for (size_t i = 0; i < m->cap; i++) {
		if (m->slots[i].value != NULL)
			*find(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
	}
	free(m->slots);
	*m = bigger;
}

void map_set(struct map *m, struct str key, void *value)
{
	if ((m->n + 1) * 4 > m->cap * 3)
		grow(m);
	uint64_t hash = map_hash(key);
	struct map_slot *s = find(m, key, hash);
	if (s->value == NULL) {
		m->n++;
		*s = (struct map_slot){ .key = key, .hash = hash };
	}
	s->value = value;
}

void map_fini(struct map *m)
{
	free(m->slots);
	*m = MAP_INIT;
}
