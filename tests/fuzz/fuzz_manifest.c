#include "manifest.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* What is read is written so that reading it again gives the same text. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct manifest first = { 0 }, second = { 0 };
	struct buf written = BUF_INIT, again = BUF_INIT;
	struct err e = ERR_INIT;
	if (manifest_parse(&first, (struct str){ (const char *)data, n }, "fuzz", &e)) {
		manifest_format(&first, &written);
		if (!manifest_parse(&second, (struct str){ written.p, written.n }, "again", &e))
			abort();
		manifest_format(&second, &again);
		if (strcmp(buf_str(&written), buf_str(&again)) != 0)
			abort();
	} else if (e.message[0] == '\0') {
		abort();
	}
	manifest_fini(&first);
	manifest_fini(&second);
	buf_fini(&written);
	buf_fini(&again);
	return 0;
}
