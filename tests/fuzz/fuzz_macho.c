#include "macho.h"
#include "str.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static size_t use(const struct macho_slice *s)
{
	size_t used = s->id != NULL ? strlen(s->id) : 0;
	for (size_t i = 0; i < s->needed.n; i++)
		used += strlen(s->needed.v[i]);
	for (size_t i = 0; i < s->rpaths.n; i++)
		used += strlen(s->rpaths.v[i]);
	return used + (macho_arch(s) != NULL);
}

/* Any bytes: read without touching anything outside them, and use what was read. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct macho m = MACHO_INIT;
	struct err e = ERR_INIT;
	if (macho_read(data, n, &m, &e)) {
		for (size_t i = 0; i < m.slices.n; i++)
			if (use(&m.slices.v[i]) > (m.slices.v[i].needed.n + 4) * (n + 1) + n * n)
				abort();
	} else if (e.message[0] == '\0') {
		abort();
	}
	macho_fini(&m);
	return 0;
}
