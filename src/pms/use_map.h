#ifndef PMS_USE_MAP_H
#define PMS_USE_MAP_H

#include "map.h"
#include "str.h"
#include "vec.h"

#include <stdbool.h>

/*
 * A stack of flag tokens, ready to be asked: "f" turns on, "-f" off, "-*" forgets all below and
 * turns off what is not named later, "-p_*" and "p_*" do so for a prefix. Used for USE and, with
 * "on" meaning "is listed", for use.mask and use.force.
 */
struct use_prefix {
	struct str prefix;
	bool on;
};
struct use_map {
	struct map flags; /* flag -> use_on or use_off */
	VEC(struct use_prefix) prefixes; /* the later one wins */
	bool cleared;
};

#define USE_MAP_INIT ((struct use_map){ 0 })

/* Add a token on top; its text is borrowed. */
void use_map_add(struct use_map *m, struct str token);
void use_map_add_words(struct use_map *m, struct str text);
void use_map_fini(struct use_map *m);
/* 1: on, -1: off, 0: nothing is said. */
int use_map_get(const struct use_map *m, struct str flag);

/* One layer of a longer stack: a map, or tokens. */
struct use_layer {
	const struct use_map *map; /* NULL: the tokens */
	const struct str *words;
	size_t n;
};
struct use_layers {
	VEC(struct use_layer) list; /* the lowest first */
};

/* What the topmost layer that speaks of the flag says, like use_map_get. */
int use_layers_get(const struct use_layers *l, struct str flag);
/* What a single token says of a flag. */
int use_token_says(struct str token, struct str flag);

#endif
