#include "leak.h"

#include <fcntl.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* Any bytes as a file of each kind that is looked into; the first byte chooses. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	static const char *const paths[] = { "usr/bin/x", "usr/lib/x.pc", "usr/lib/x.la",
		"usr/bin/x-config", "usr/lib/x.so" };
	static struct leak l;
	struct flaws found = FLAWS_INIT;
	if (n == 0)
		return 0;
	if (l.eprefix == NULL)
		leak_init(&l, AT_FDCWD, "/p", false);
	const char *path = paths[data[0] % (sizeof paths / sizeof *paths)];
	leak_check_file(&l, path, 0755, (struct str){ (const char *)data + 1, n - 1 }, &found);
	char *target = xstrndup((const char *)data + 1, n - 1);
	leak_check_symlink(&l, path, target, &found);
	free(target);
	for (size_t i = 0; i < found.list.n; i++)
		if (found.list.v[i].path == NULL || found.list.v[i].detail == NULL)
			abort();
	flaws_sort(&found);
	flaws_fini(&found);
	return 0;
}
