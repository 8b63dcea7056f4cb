#include "mirror_apt.h"

#include <stdlib.h>
#include <strings.h>

void apt_sources_fini(struct apt_sources *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].uri);
	vec_fini(s);
}

/* The line up to its comment. */
static struct str without_comment(struct str line)
{
	const char *hash = line.n > 0 ? memchr(line.p, '#', line.n) : NULL;
	return str_trim((struct str){ line.p, hash != NULL ? (size_t)(hash - line.p) : line.n });
}

/* "[arch=amd64 signed-by=…]", also with blanks inside. */
static void skip_options(struct str *rest)
{
	*rest = str_trim(*rest);
	if (!str_starts(*rest, "["))
		return;
	while (rest->n > 0 && rest->p[0] != ']')
		*rest = (struct str){ rest->p + 1, rest->n - 1 };
	if (rest->n > 0)
		*rest = (struct str){ rest->p + 1, rest->n - 1 };
}

static bool is_type(struct str word)
{
	return str_is(word, "deb") || str_is(word, "deb-src");
}

static void parse_line(struct str line, struct apt_sources *out)
{
	struct str rest = without_comment(line), type, uri, suite, component;
	if (!str_word(&rest, &type) || !is_type(type))
		return;
	skip_options(&rest);
	if (str_starts(str_trim(rest), "cdrom:") || !str_word(&rest, &uri) ||
		!str_word(&rest, &suite))
		return;
	struct apt_source s = { .uri = xstrndup(uri.p, uri.n) };
	while (!str_ends(suite, "/") && str_word(&rest, &component))
		s.main = s.main || str_is(component, "main");
	vec_push(out, s);
}

void apt_parse_list(struct str text, struct apt_sources *out)
{
	struct str line;
	while (str_split(&text, '\n', &line))
		parse_line(line, out);
}

/* One stanza's fields, as far as they matter. */
struct stanza {
	struct buf uris, components;
	bool is_deb, disabled;
};

static bool has_word(struct str text, bool (*is)(struct str word))
{
	struct str word;
	while (str_word(&text, &word)) {
		if (is(word))
			return true;
	}
	return false;
}

static bool is_main(struct str word)
{
	return str_is(word, "main");
}

static void end_stanza(struct stanza *s, struct apt_sources *out)
{
	struct str uris = { s->uris.p, s->uris.n }, uri;
	bool main = has_word((struct str){ s->components.p, s->components.n }, is_main);
	while (s->is_deb && !s->disabled && str_word(&uris, &uri)) {
		if (!str_starts(uri, "cdrom:"))
			vec_push(out,
				(struct apt_source){ .uri = xstrndup(uri.p, uri.n), .main = main });
	}
	buf_fini(&s->uris);
	buf_fini(&s->components);
	*s = (struct stanza){ 0 };
}

static bool field_is(struct str name, const char *want)
{
	return name.n == strlen(want) && strncasecmp(name.p, want, name.n) == 0;
}

/* A field's first line; *more is where its continuation lines go, NULL: nowhere. */
static void start_field(struct stanza *s, struct str line, struct buf **more)
{
	struct str name;
	*more = NULL;
	if (!str_split(&line, ':', &name))
		return;
	struct str value = str_trim(line);
	if (field_is(name, "Types"))
		s->is_deb = has_word(value, is_type);
	else if (field_is(name, "Enabled"))
		s->disabled =
			field_is(value, "no") || field_is(value, "false") || field_is(value, "0");
	else if (field_is(name, "URIs"))
		*more = &s->uris;
	else if (field_is(name, "Components"))
		*more = &s->components;
	if (*more != NULL)
		buf_add_str(*more, value);
}

void apt_parse_sources(struct str text, struct apt_sources *out)
{
	struct stanza s = { 0 };
	struct buf *more = NULL;
	struct str line;
	while (str_split(&text, '\n', &line)) {
		if (str_starts(line, "#"))
			continue;
		if (str_trim(line).n == 0) {
			end_stanza(&s, out);
			more = NULL;
		} else if (!chr_space(line.p[0])) {
			start_field(&s, line, &more);
		} else if (more != NULL) {
			buf_addc(more, ' ');
			buf_add_str(more, str_trim(line));
		}
	}
	end_stanza(&s, out);
}
