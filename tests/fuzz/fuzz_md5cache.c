#include "repo.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* A metadata cache entry: whatever it says, the package is whole afterwards. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct arena arena = ARENA_INIT;
	struct pkg p = { .cp = STR("a/b"), .cat = STR("a"), .pn = STR("b"), .version = STR("1") };
	pkg_fill(&arena, &p, (struct str){ (const char *)data, n });
	if (!p.loaded || p.slot.n == 0 || p.subslot.n == 0 || p.eapi.n == 0)
		abort();
	for (size_t i = 0; i < p.n_iuse; i++) {
		if (pkg_iuse(&p, p.iuse[i].name) != &p.iuse[i])
			abort();
	}
	for (int key = 0; key < PKG_DEPS; key++) {
		const struct dep *d;
		struct err e = ERR_INIT;
		if (!pkg_deps(&arena, &p, (enum pkg_key)key, &d, &e) && !p.broken)
			abort();
	}
	arena_fini(&arena);
	return 0;
}
