#include "fetch_sniff.h"

#include <strings.h>

static struct str skip_blank(struct str s)
{
	if (str_starts(s, "\xef\xbb\xbf"))
		s = (struct str){ s.p + 3, s.n - 3 };
	while (s.n > 0 && chr_space(s.p[0]))
		s = (struct str){ s.p + 1, s.n - 1 };
	return s;
}

static bool starts_fold(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.n >= n && strncasecmp(s.p, prefix, n) == 0;
}

/* Position of word in s whatever its case; s.n when it is not there. */
static size_t find_fold(struct str s, const char *word)
{
	for (size_t i = 0; i < s.n; i++) {
		if (starts_fold((struct str){ s.p + i, s.n - i }, word))
			return i;
	}
	return s.n;
}

bool sniff_is_page(struct str begin)
{
	static const char *const starts[] = { "<!doctype html", "<html", "<head", "<title",
		"<script", "<body", "<meta " };
	struct str s = skip_blank(begin);
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		if (starts_fold(s, starts[i]))
			return true;
	}
	/* A comment or an XML declaration may come before the page. */
	bool prologue = starts_fold(s, "<!--") || starts_fold(s, "<?xml");
	return prologue && find_fold(s, "<html") < s.n;
}

bool sniff_page_is_fine(const char *name)
{
	static const char *const ends[] = { ".html", ".htm", ".xhtml", ".xml", ".svg", ".php" };
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (str_ends(str_of(name), ends[i]))
			return true;
	}
	return false;
}

struct str sniff_title(struct str begin)
{
	size_t at = find_fold(begin, "<title");
	const char *open = at < begin.n ? memchr(begin.p + at, '>', begin.n - at) : NULL;
	if (open == NULL)
		return (struct str){ begin.p, 0 };
	struct str s = { open + 1, begin.n - (size_t)(open + 1 - begin.p) };
	s.n = find_fold(s, "</title");
	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < ' ')
			s.n = i;
	}
	if (s.n > 60)
		s.n = 60;
	return s;
}
