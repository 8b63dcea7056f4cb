#include "version.h"

/* The text that is left to read, and what was found so far. */
static struct str take_digits(struct str *s)
{
	struct str digits = { s->p, 0 };
	while (s->n > 0 && chr_digit(s->p[0])) {
		s->p++;
		s->n--;
		digits.n++;
	}
	return digits;
}

static bool take_char(struct str *s, char c)
{
	if (s->n == 0 || s->p[0] != c)
		return false;
	s->p++;
	s->n--;
	return true;
}

/* The order of suffixes; "p" is above a version without one, the others are below. */
enum suffix { SUFFIX_ALPHA, SUFFIX_BETA, SUFFIX_PRE, SUFFIX_RC, SUFFIX_NONE, SUFFIX_P };

/* Read "_name"; SUFFIX_NONE when there is none. "_pre" is tried before "_p". */
static enum suffix take_suffix(struct str *s)
{
	static const struct {
		const char *name;
		enum suffix suffix;
	} names[] = {
		{ "_alpha", SUFFIX_ALPHA },
		{ "_beta", SUFFIX_BETA },
		{ "_pre", SUFFIX_PRE },
		{ "_rc", SUFFIX_RC },
		{ "_p", SUFFIX_P },
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!str_starts(*s, names[i].name))
			continue;
		size_t n = strlen(names[i].name);
		s->p += n;
		s->n -= n;
		return names[i].suffix;
	}
	return SUFFIX_NONE;
}

/* Skip a version without revision at the start of *s. */
static bool take_version(struct str *s)
{
	if (take_digits(s).n == 0)
		return false;
	while (take_char(s, '.')) {
		if (take_digits(s).n == 0)
			return false;
	}
	if (s->n > 0 && s->p[0] >= 'a' && s->p[0] <= 'z')
		take_char(s, s->p[0]);
	while (take_suffix(s) != SUFFIX_NONE)
		take_digits(s);
	return true;
}

bool version_valid(struct str v)
{
	if (!take_version(&v))
		return false;
	if (take_char(&v, '-') && (!take_char(&v, 'r') || take_digits(&v).n == 0))
		return false;
	return v.n == 0;
}

struct str version_base(struct str v)
{
	const char *hyphen = v.n > 0 ? memchr(v.p, '-', v.n) : NULL;
	return hyphen != NULL ? (struct str){ v.p, (size_t)(hyphen - v.p) } : v;
}

struct str version_revision(struct str v)
{
	size_t skip = version_base(v).n + 2;
	if (v.n < skip)
		return STR("");
	return (struct str){ v.p + skip, v.n - skip };
}

/* Numbers of any length: without leading zeros the longer one is greater. No digits is 0. */
static int cmp_numbers(struct str a, struct str b)
{
	while (take_char(&a, '0'))
		;
	while (take_char(&b, '0'))
		;
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	return str_cmp(a, b);
}

static struct str without_trailing_zeros(struct str s)
{
	while (s.n > 0 && s.p[s.n - 1] == '0')
		s.n--;
	return s;
}

/* PMS algorithm 3.3: a component after the first. */
static int cmp_components(struct str a, struct str b)
{
	if (a.p[0] != '0' && b.p[0] != '0')
		return cmp_numbers(a, b);
	return str_cmp(without_trailing_zeros(a), without_trailing_zeros(b));
}

/* The dotted numbers: more of them is the greater version. */
static int cmp_dotted(struct str *a, struct str *b)
{
	int c = cmp_numbers(take_digits(a), take_digits(b));
	while (c == 0) {
		bool more_a = take_char(a, '.'), more_b = take_char(b, '.');
		if (!more_a || !more_b)
			return more_a - more_b;
		c = cmp_components(take_digits(a), take_digits(b));
	}
	return c;
}

static char take_letter(struct str *s)
{
	if (s->n == 0 || s->p[0] < 'a' || s->p[0] > 'z')
		return '\0';
	char c = s->p[0];
	take_char(s, c);
	return c;
}

static int cmp_suffixes(struct str *a, struct str *b)
{
	for (;;) {
		enum suffix x = take_suffix(a), y = take_suffix(b);
		if (x != y)
			return x < y ? -1 : 1;
		if (x == SUFFIX_NONE)
			return 0;
		int c = cmp_numbers(take_digits(a), take_digits(b));
		if (c != 0)
			return c;
	}
}

int version_cmp(struct str a, struct str b)
{
	struct str rev_a = version_revision(a), rev_b = version_revision(b);
	a = version_base(a);
	b = version_base(b);
	int c = cmp_dotted(&a, &b);
	if (c != 0)
		return c;
	c = take_letter(&a) - take_letter(&b);
	if (c != 0)
		return c;
	c = cmp_suffixes(&a, &b);
	return c != 0 ? c : cmp_numbers(rev_a, rev_b);
}

/* Leading zeros of the first number away, but one digit is left. */
static struct str without_leading_zeros(struct str v)
{
	while (v.n > 1 && v.p[0] == '0' && chr_digit(v.p[1])) {
		v.p++;
		v.n--;
	}
	return v;
}

bool version_glob(struct str pattern, struct str v)
{
	pattern = without_leading_zeros(pattern);
	v = without_leading_zeros(v);
	if (pattern.n == 0 || v.n < pattern.n || memcmp(pattern.p, v.p, pattern.n) != 0)
		return false;
	if (v.n == pattern.n)
		return true;
	char next = v.p[pattern.n];
	return strchr("._-", next) != NULL || chr_digit(next) != chr_digit(v.p[pattern.n - 1]);
}

/* The part behind the last hyphen of s; s is shortened to what is in front of it. */
static bool take_tail(struct str *s, struct str *tail)
{
	for (size_t i = s->n; i-- > 0;) {
		if (s->p[i] != '-')
			continue;
		*tail = (struct str){ s->p + i + 1, s->n - i - 1 };
		s->n = i;
		return true;
	}
	return false;
}

bool pf_version_at(struct str pf, size_t *at)
{
	struct str rest = pf, tail;
	if (!take_tail(&rest, &tail))
		return false;
	bool is_revision = take_char(&tail, 'r') && take_digits(&tail).n > 0 && tail.n == 0;
	if (is_revision && !take_tail(&rest, &tail))
		return false;
	*at = rest.n;
	return version_valid((struct str){ pf.p + rest.n + 1, pf.n - rest.n - 1 });
}

/* A letter, digit or underscore. Inlined: names are most of what is read of a repository. */
static inline bool is_name_char(char c)
{
	return (unsigned)((c | 0x20) - 'a') < 26 || (unsigned)(c - '0') < 10 || c == '_';
}

static bool name_chars(struct str s, const char *more)
{
	if (s.n == 0 || !is_name_char(s.p[0]))
		return false;
	for (size_t i = 1; i < s.n; i++) {
		if (!is_name_char(s.p[i]) && (s.p[i] == '\0' || strchr(more, s.p[i]) == NULL))
			return false;
	}
	return true;
}

bool name_category(struct str s)
{
	return name_chars(s, "+_.-");
}

bool name_package(struct str s)
{
	size_t at;
	return name_chars(s, "+_-") && !pf_version_at(s, &at);
}

bool name_slot(struct str s)
{
	return name_chars(s, "+_.-");
}

bool name_repo(struct str s)
{
	return name_chars(s, "_-") && name_package(s);
}

bool name_flag(struct str s)
{
	return s.n > 0 && s.p[0] != '_' && name_chars(s, "+_@-");
}

bool cpv_split(struct str s, struct cpv *out)
{
	const char *slash = s.n > 0 ? memchr(s.p, '/', s.n) : NULL;
	size_t cat = slash != NULL ? (size_t)(slash - s.p) : 0, skip = slash != NULL ? cat + 1 : 0;
	*out = (struct cpv){ .cat = { s.p, cat }, .pf = { s.p + skip, s.n - skip } };
	size_t at;
	if ((slash != NULL && !name_category(out->cat)) || !pf_version_at(out->pf, &at))
		return false;
	out->pn = (struct str){ out->pf.p, at };
	out->cp = (struct str){ s.p, skip + at };
	out->version = (struct str){ out->pf.p + at + 1, out->pf.n - at - 1 };
	return name_package(out->pn);
}
