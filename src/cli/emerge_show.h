#ifndef CLI_EMERGE_SHOW_H
#define CLI_EMERGE_SHOW_H

#include "emerge.h"

#include <stdint.h>

/* What the parts of the display of `eprefix emerge` share. */

#define TINT_RED "31;1"
#define TINT_GREEN "32;1"
#define TINT_DARK_GREEN "32"
#define TINT_YELLOW "33;1"
#define TINT_BLUE "34;1"
#define TINT_TURQUOISE "36;1"

/* Text in a colour (SGR parameters), plain when color is false. */
void emerge_tint(struct buf *out, bool color, const char *sgr, const char *text);

/* A list on its way to the screen. */
struct emerge_view {
	const struct emerge *m;
	bool color;
	struct emerge_sizes *sizes; /* NULL: sizes are not shown */
};

/* What happens to one package. */
enum emerge_act {
	EMERGE_NEW,
	EMERGE_NEW_SLOT,
	EMERGE_AGAIN,
	EMERGE_UPGRADE,
	EMERGE_DOWNGRADE,
	EMERGE_ACTS,
};
struct emerge_counts {
	size_t of[EMERGE_ACTS], all;
};
void emerge_count(const struct emerge *m, struct emerge_counts *n);

/* One line "[ebuild  N     ] …"; indent: blanks before the name (--tree). */
void emerge_show_item(const struct emerge_view *v, const struct resolve_item *item, size_t indent);

/* emerge_removals.c: the lines of what goes for `by`, before it ("!!") or after it; and all
 * blockers. */
void emerge_show_removals(const struct emerge_view *v, const struct pkg *by, bool before);
void emerge_show_blocks(const struct emerge_view *v);

/* emerge_use.c: append USE="a -b" and the variables of USE_EXPAND, each with a blank before it. */
void emerge_add_use(const struct emerge_view *v, struct buf *out, const struct resolve_item *item);

/*
 * The flag as IUSE of an installed package declares it: its view lists implicit ones, too, which
 * are nothing to show. NULL when it does not.
 */
const struct iuse *emerge_declared(
	const struct emerge *m, const struct pkg *installed, struct str flag);

/* emerge_size.c: what has still to be downloaded. Each file counts once, for the first package. */
struct emerge_sizes {
	const struct emerge *m;
	struct downloads downloads;
	struct strv seen;
	uint64_t total;
};
bool emerge_sizes_open(struct emerge_sizes *s, const struct emerge *m, struct err *e);
/* Bytes for one package; what no Manifest knows counts nothing. */
uint64_t emerge_size(struct emerge_sizes *s, const struct pkg *p);
void emerge_sizes_close(struct emerge_sizes *s);
/* Append "1,234 KiB", rounded up. */
void emerge_add_kib(struct buf *out, uint64_t bytes);

#endif
