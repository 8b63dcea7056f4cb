#ifndef BIND_EMBED_H
#define BIND_EMBED_H

#include <stddef.h>

/* The engine's Lua files inside the program; the array is generated from lua/ when it is built. */
struct embed_file {
	const char *name; /* path below lua/: "systems/autotools.lua" */
	const char *data; /* as it is, with a NUL behind it that size does not count */
	size_t size;
};
extern const struct embed_file embed_files[];
extern const size_t n_embed_files;

#endif
