#include "version.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static int sign(int c)
{
	return (c > 0) - (c < 0);
}

/* Two versions with a newline between them: an order has to be one, whatever they are. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct str rest = { (const char *)data, n }, a = { "", 0 };
	struct cpv parts;
	str_split(&rest, '\n', &a);
	struct str b = rest.p != NULL ? rest : a;
	if (cpv_split(a, &parts) && !version_valid(parts.version))
		abort();
	if (!version_valid(a) || !version_valid(b))
		return 0;
	if (version_cmp(a, a) != 0 || sign(version_cmp(a, b)) != -sign(version_cmp(b, a)))
		abort();
	if (!version_glob(a, a) || !version_valid(version_base(a)))
		abort();
	if (version_glob(a, b) && b.n + 16 < a.n && a.p[0] != '0')
		abort();
	return 0;
}
