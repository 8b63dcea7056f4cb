/*
 * unxz <IN >OUT: unpacks .xz for a host that has no xz, so that source archives can be opened
 * before liblzma is built. The archive's SHA-256 was checked already, so the checks inside are
 * passed over. Written after "The .xz File Format" 1.2.0 and the LZMA description in the LZMA SDK:
 * one stream, LZMA2 as the only filter.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *why)
{
	fprintf(stderr, "unxz: %s\n", why);
	exit(1);
}

struct bytes {
	uint8_t *p;
	size_t n, max;
};

static void grow(struct bytes *b, size_t more)
{
	if (b->max - b->n >= more)
		return;
	b->max = (b->n + more) * 2;
	b->p = realloc(b->p, b->max);
	if (b->p == NULL)
		fail("out of memory");
}

/* The input, whole, and the place where it is read. */
static struct bytes in;
static size_t at;

static uint8_t next(void)
{
	if (at >= in.n)
		fail("the input ends too early");
	return in.p[at++];
}

static uint32_t next_be(int n)
{
	uint32_t v = 0;
	while (n-- > 0)
		v = v << 8 | next();
	return v;
}

/* Range decoder (LZMA SDK, lzma-specification). */
typedef uint16_t prob;
enum { PROB_START = 1024, PROB_BITS = 11, MOVE_BITS = 5, TOP = 1 << 24 };

struct range {
	uint32_t range, code;
};

static void range_start(struct range *r)
{
	if (next() != 0)
		fail("damaged data");
	r->range = UINT32_MAX;
	r->code = next_be(4);
}

static void normalize(struct range *r)
{
	if (r->range < TOP) {
		r->range <<= 8;
		r->code = r->code << 8 | next();
	}
}

static unsigned bit(struct range *r, prob *p)
{
	normalize(r);
	uint32_t bound = (r->range >> PROB_BITS) * *p;
	if (r->code < bound) {
		r->range = bound;
		*p += ((1 << PROB_BITS) - *p) >> MOVE_BITS;
		return 0;
	}
	r->range -= bound;
	r->code -= bound;
	*p -= *p >> MOVE_BITS;
	return 1;
}

static unsigned direct_bits(struct range *r, unsigned n)
{
	unsigned v = 0;
	while (n-- > 0) {
		normalize(r);
		r->range >>= 1;
		unsigned b = r->code >= r->range;
		if (b)
			r->code -= r->range;
		v = v << 1 | b;
	}
	return v;
}

static unsigned tree(struct range *r, prob *p, unsigned bits)
{
	unsigned m = 1;
	for (unsigned i = 0; i < bits; i++)
		m = m << 1 | bit(r, &p[m]);
	return m - (1u << bits);
}

static unsigned reverse_tree(struct range *r, prob *p, unsigned bits)
{
	unsigned m = 1, v = 0;
	for (unsigned i = 0; i < bits; i++) {
		unsigned b = bit(r, &p[m]);
		m = m << 1 | b;
		v |= b << i;
	}
	return v;
}

/* The LZMA state. All probabilities lie in one struct, so that a reset is one loop. */
enum { STATES = 12, POS_STATES = 16, LEN_LOW = 8, LEN_HIGH = 256, LITERALS = 0x300 << 4 };

struct length_probs {
	prob choice[2], low[POS_STATES][LEN_LOW], mid[POS_STATES][LEN_LOW], high[LEN_HIGH];
};

struct probs {
	prob is_match[STATES][POS_STATES], is_rep[STATES], is_rep0[STATES], is_rep1[STATES];
	prob is_rep2[STATES], is_rep0_long[STATES][POS_STATES];
	prob slot[4][64], special[128], align[16];
	struct length_probs match_len, rep_len;
	prob literal[LITERALS];
};

struct lzma {
	struct range range;
	struct probs probs;
	unsigned lc, lp, pb, state;
	uint32_t rep[4];
	struct bytes out; /* is the dictionary too */
	size_t dict_start;
};

static void reset_state(struct lzma *z)
{
	prob *p = (prob *)&z->probs;
	for (size_t i = 0; i < sizeof z->probs / sizeof *p; i++)
		p[i] = PROB_START;
	z->state = 0;
	memset(z->rep, 0, sizeof z->rep);
}

static void set_properties(struct lzma *z, uint8_t b)
{
	if (b >= 9 * 5 * 5)
		fail("bad properties");
	z->lc = b % 9;
	z->lp = b / 9 % 5;
	z->pb = b / 9 / 5;
	if (z->lc + z->lp > 4)
		fail("bad properties");
}

static uint8_t back(const struct lzma *z, uint32_t distance)
{
	if (distance >= z->out.n - z->dict_start)
		fail("damaged data");
	return z->out.p[z->out.n - distance - 1];
}

static void literal(struct lzma *z)
{
	size_t pos = z->out.n - z->dict_start;
	unsigned before = pos > 0 ? z->out.p[z->out.n - 1] : 0;
	unsigned context = ((pos & ((1u << z->lp) - 1)) << z->lc) + (before >> (8 - z->lc));
	prob *p = &z->probs.literal[0x300 * (size_t)context];
	unsigned symbol = 1;
	if (z->state >= 7) {
		unsigned match = back(z, z->rep[0]);
		while (symbol < 0x100) {
			unsigned match_bit = match >> 7 & 1;
			match <<= 1;
			unsigned b = bit(&z->range, &p[((1 + match_bit) << 8) + symbol]);
			symbol = symbol << 1 | b;
			if (match_bit != b)
				break;
		}
	}
	while (symbol < 0x100)
		symbol = symbol << 1 | bit(&z->range, &p[symbol]);
	z->out.p[z->out.n++] = (uint8_t)symbol;
	z->state = z->state < 4 ? 0 : z->state < 10 ? z->state - 3 : z->state - 6;
}

static unsigned length(struct lzma *z, struct length_probs *l, unsigned pos_state)
{
	if (bit(&z->range, &l->choice[0]) == 0)
		return 2 + tree(&z->range, l->low[pos_state], 3);
	if (bit(&z->range, &l->choice[1]) == 0)
		return 10 + tree(&z->range, l->mid[pos_state], 3);
	return 18 + tree(&z->range, l->high, 8);
}

static uint32_t distance(struct lzma *z, unsigned len)
{
	unsigned slot = tree(&z->range, z->probs.slot[len < 6 ? len - 2 : 3], 6);
	if (slot < 4)
		return slot;
	unsigned bits = (slot >> 1) - 1;
	uint32_t d = (2 | (slot & 1)) << bits;
	if (slot < 14)
		return d + reverse_tree(&z->range, &z->probs.special[d - slot], bits);
	d += direct_bits(&z->range, bits - 4) << 4;
	return d + reverse_tree(&z->range, z->probs.align, 4);
}

/* A match at a distance used before; false when it was the one-byte form, done here. */
static bool repeat(struct lzma *z, unsigned pos_state)
{
	struct probs *p = &z->probs;
	if (bit(&z->range, &p->is_rep0[z->state]) == 0) {
		if (bit(&z->range, &p->is_rep0_long[z->state][pos_state]) == 0) {
			z->state = z->state < 7 ? 9 : 11;
			z->out.p[z->out.n] = back(z, z->rep[0]);
			z->out.n++;
			return false;
		}
		return true;
	}
	unsigned i = 1;
	if (bit(&z->range, &p->is_rep1[z->state]) != 0)
		i = 2 + bit(&z->range, &p->is_rep2[z->state]);
	uint32_t d = z->rep[i];
	memmove(&z->rep[1], &z->rep[0], i * sizeof z->rep[0]);
	z->rep[0] = d;
	return true;
}

static void match(struct lzma *z, unsigned pos_state, size_t end)
{
	unsigned len;
	if (bit(&z->range, &z->probs.is_rep[z->state]) != 0) {
		if (!repeat(z, pos_state))
			return;
		len = length(z, &z->probs.rep_len, pos_state);
		z->state = z->state < 7 ? 8 : 11;
	} else {
		memmove(&z->rep[1], &z->rep[0], 3 * sizeof z->rep[0]);
		len = length(z, &z->probs.match_len, pos_state);
		z->state = z->state < 7 ? 7 : 10;
		z->rep[0] = distance(z, len);
	}
	if (len > end - z->out.n)
		fail("damaged data");
	for (; len > 0; len--) {
		z->out.p[z->out.n] = back(z, z->rep[0]);
		z->out.n++;
	}
}

static void lzma_chunk(struct lzma *z, size_t unpacked)
{
	grow(&z->out, unpacked);
	size_t end = z->out.n + unpacked;
	range_start(&z->range);
	while (z->out.n < end) {
		unsigned pos_state = (z->out.n - z->dict_start) & ((1u << z->pb) - 1);
		if (bit(&z->range, &z->probs.is_match[z->state][pos_state]) == 0)
			literal(z);
		else
			match(z, pos_state, end);
	}
	normalize(&z->range);
}

static void stored_chunk(struct lzma *z, size_t n)
{
	grow(&z->out, n);
	while (n-- > 0)
		z->out.p[z->out.n++] = next();
}

/* LZMA2: chunks until a zero byte. */
static void lzma2(struct lzma *z)
{
	for (uint8_t control; (control = next()) != 0;) {
		if (control == 1 || control >= 0xe0)
			z->dict_start = z->out.n;
		if (control < 0x80) {
			if (control > 2)
				fail("damaged data");
			stored_chunk(z, next_be(2) + 1);
			continue;
		}
		size_t unpacked = ((size_t)(control & 0x1f) << 16) + next_be(2) + 1;
		next_be(2); /* the packed size; the range decoder knows where to stop */
		if (control >= 0xc0)
			set_properties(z, next());
		if (control >= 0xa0)
			reset_state(z);
		lzma_chunk(z, unpacked);
	}
}

/* A block's header: LZMA2 must be its only filter. */
static void block_header(size_t start, uint8_t size)
{
	uint8_t flags = next();
	if ((flags & 3) != 0)
		fail("a filter other than LZMA2");
	for (int field = 0; field < 2; field++) {
		if ((flags & (0x40 << field)) == 0)
			continue;
		while ((next() & 0x80) != 0)
			continue;
	}
	if (next() != 0x21)
		fail("a filter other than LZMA2");
	at = start + ((size_t)size + 1) * 4;
}

static void unxz(struct lzma *z)
{
	static const uint8_t check_sizes[16] = { 0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64,
		64, 64 };
	if (in.n < 12 || memcmp(in.p,
				 "\xfd"
				 "7zXZ\0",
				 6) != 0)
		fail("not an .xz file");
	size_t check = check_sizes[in.p[7] & 15];
	at = 12;
	for (uint8_t size; (size = next()) != 0;) {
		block_header(at - 1, size);
		size_t start = at;
		lzma2(z);
		at += (4 - (at - start) % 4) % 4 + check;
	}
}

int main(void)
{
	static struct lzma z;
	for (size_t got = 1; got > 0; in.n += got) {
		grow(&in, 1 << 20);
		got = fread(in.p + in.n, 1, 1 << 20, stdin);
	}
	unxz(&z);
	if (fwrite(z.out.p, 1, z.out.n, stdout) != z.out.n || fflush(stdout) != 0)
		fail("cannot write the output");
	return 0;
}
