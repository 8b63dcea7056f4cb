/* Any bytes as an env.d file: names are identifiers, and every complaint names a line. */
#include "envd.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct envd_file f = { 0 };
	struct strv bad = STRV_INIT;
	envd_parse(&f, (struct str){ (const char *)data, size }, "f", &bad);
	for (size_t i = 0; i < f.lines.n; i++) {
		const char *name = f.lines.v[i].name;
		if (name[0] == '\0' || chr_digit(name[0]) || f.lines.v[i].value == NULL)
			abort();
	}
	for (size_t i = 0; i < bad.n; i++) {
		if (strncmp(bad.v[i], "f:", 2) != 0 || !chr_digit(bad.v[i][2]))
			abort();
	}
	envd_file_fini(&f);
	strv_fini(&bad);
	return 0;
}
