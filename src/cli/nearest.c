#include "cli.h"

#include <string.h>

#define LONGEST 64 /* longer words are nobody's typing error */

static size_t min2(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap of neighbours) from a to b: Damerau's distance in its
 * "optimal string alignment" form. */
static size_t distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	if (n > LONGEST || m > LONGEST)
		return n + m;
	unsigned char rows[3][LONGEST + 1] = { 0 };
	unsigned char *before = rows[0], *last = rows[1], *now = rows[2];
	for (size_t j = 0; j <= m; j++)
		last[j] = (unsigned char)j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = (unsigned char)i;
		for (size_t j = 1; j <= m; j++) {
			size_t d = last[j - 1] + (a[i - 1] != b[j - 1]);
			d = min2(d, min2(last[j], now[j - 1]) + 1U);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = min2(d, before[j - 2] + 1U);
			now[j] = (unsigned char)d;
		}
		unsigned char *free_row = before;
		before = last;
		last = now;
		now = free_row;
	}
	return last[m];
}

const char *cli_nearest(
	const char *word, const char *(*next)(const void *ctx, size_t i), const void *ctx)
{
	/* One edit for three letters, at least one: more would suggest unrelated words. */
	size_t best = strlen(word) / 3 + (strlen(word) < 3) + 1;
	const char *found = NULL;
	const char *candidate;
	for (size_t i = 0; (candidate = next(ctx, i)) != NULL; i++) {
		size_t d = distance(word, candidate);
		if (d < best) {
			best = d;
			found = candidate;
		}
	}
	return found;
}
