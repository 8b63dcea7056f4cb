#include "atom.h"
#include "pkg.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static bool all_on(const void *ctx, struct str flag)
{
	(void)ctx;
	return flag.n % 2 == 0;
}

/* Match against a package of the atom's own name and version, evaluated and not. */
static void use(struct arena *arena, const struct atom *a)
{
	struct pkg p = { .cp = a->cp, .cat = a->cat, .pn = a->pn, .version = a->version };
	const struct atom *evaluated = atom_evaluate(arena, a, all_on, NULL);
	if (a->op == ATOM_ANY || a->wildcard)
		p.version = STR("1");
	bool name = atom_match_but_use(a, &p);
	if (a->op == ATOM_EQ && a->build_id.n == 0 && !name)
		abort();
	if (atom_match(evaluated, &p) && !name)
		abort();
	if (evaluated->use_conditional)
		abort();
	/* "a[x,x=]" with x off asks for what cannot be: it meets nothing, not even itself. */
	if (atom_intersects(evaluated, evaluated) && !atom_intersects(a, evaluated))
		abort();
}

/* The first byte chooses EAPI and flags; what parses prints as something that parses the same. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	static const char eapis[] = "0123456789";
	if (n == 0)
		return 0;
	struct str eapi = { &eapis[data[0] % 10], data[0] % 11 != 10 };
	struct str text = { (const char *)data + 1, n - 1 };
	struct arena arena = ARENA_INIT;
	struct err e = ERR_INIT;
	struct buf once = BUF_INIT, twice = BUF_INIT;
	unsigned flags = (data[0] >> 4) & 15;
	const struct atom *a = atom_parse(&arena, text, eapi, flags, &e);
	if ((a == NULL) != (e.code != ERR_NONE))
		abort();
	if (a != NULL) {
		atom_print(a, &once);
		use(&arena, a);
		a = atom_parse(&arena, (struct str){ once.p, once.n }, eapi, flags, &e);
		if (a == NULL)
			abort();
		atom_print(a, &twice);
		if (strcmp(buf_str(&once), buf_str(&twice)) != 0)
			abort();
	}
	buf_fini(&once);
	buf_fini(&twice);
	arena_fini(&arena);
	return 0;
}
