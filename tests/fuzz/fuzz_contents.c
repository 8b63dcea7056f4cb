/* What CONTENTS parses to and is written from has to be read as the same again. */
#include "contents.h"

#include <stdint.h>
#include <stdlib.h>

static void same(struct str a, struct str b)
{
	if (!str_eq(a, b))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct contents first = CONTENTS_INIT, again = CONTENTS_INIT;
	struct buf text = BUF_INIT;
	contents_parse(&first, (struct str){ (const char *)data, size });
	for (size_t i = 0; i < first.list.n; i++)
		contents_format(&text, &first.list.v[i]);
	contents_parse(&again, (struct str){ buf_str(&text), text.n });
	if (again.bad > 0 || again.list.n != first.list.n)
		abort();
	for (size_t i = 0; i < first.list.n; i++) {
		const struct contents_entry *a = &first.list.v[i], *b = &again.list.v[i];
		if (a->type != b->type || a->mtime != b->mtime)
			abort();
		same(a->path, b->path);
		same(a->target, b->target);
		same(a->md5, b->md5);
	}
	contents_fini(&first);
	contents_fini(&again);
	buf_fini(&text);
	return 0;
}
