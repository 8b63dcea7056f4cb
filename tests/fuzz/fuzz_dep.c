#include "dep.h"
#include "required_use.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static bool some_on(const void *ctx, struct str flag)
{
	return (flag.p[0] ^ *(const unsigned char *)ctx) & 1;
}

static void check_flags(const struct dep *d, const unsigned char *choice)
{
	struct required_use how = { .on = some_on, .on_ctx = choice };
	how.empty_any_is_false = (*choice & 2) != 0;
	struct err e = ERR_INIT;
	struct buf why = BUF_INIT;
	bool satisfied;
	if (!required_use_check(d, &how, &satisfied, &why, &e))
		abort();
	buf_fini(&why);
}

static void reduce_all(struct arena *a, const struct dep *d, const unsigned char *choice)
{
	for (unsigned form = 0; form < 3; form++) {
		struct reduce how = { .on = some_on, .on_ctx = choice };
		how.flat = form == 1;
		how.opconvert = form == 2;
		how.matchall = (*choice & 4) != 0;
		how.empty_any_is_false = (*choice & 2) != 0;
		struct err e = ERR_INIT;
		struct buf out = BUF_INIT;
		struct rlist *l;
		if (!dep_reduce(a, d, &how, &l, &e))
			abort();
		rlist_json(l, &out);
		buf_fini(&out);
	}
}

/* The first byte chooses syntax and USE; what parses prints as something that parses the same. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	if (n == 0)
		return 0;
	struct arena arena = ARENA_INIT;
	struct err e = ERR_INIT;
	struct map atoms = MAP_INIT;
	struct dep_parse how = { .syntax = (data[0] >> 3) % 4, .atoms = &atoms };
	struct str text = { (const char *)data + 1, n - 1 };
	struct buf once = BUF_INIT, twice = BUF_INIT;
	const struct dep *d;
	bool ok = dep_parse(&arena, text, &how, &d, &e);
	if (ok != (e.code == ERR_NONE) || (!ok && d != NULL))
		abort();
	if (ok) {
		if (how.syntax == DEP_OF_FLAGS)
			check_flags(d, data);
		else
			reduce_all(&arena, d, data);
		dep_print(d, &once);
		if (!dep_parse(&arena, (struct str){ once.p, once.n }, &how, &d, &e))
			abort();
		dep_print(d, &twice);
		if (strcmp(buf_str(&once), buf_str(&twice)) != 0)
			abort();
	}
	buf_fini(&once);
	buf_fini(&twice);
	map_fini(&atoms);
	arena_fini(&arena);
	return 0;
}
