#include "manifest.h"

#include <stdlib.h>

static const char *const tag_names[] = {
	[MANIFEST_AUX] = "AUX",
	[MANIFEST_DATA] = "DATA",
	[MANIFEST_DIST] = "DIST",
	[MANIFEST_EBUILD] = "EBUILD",
	[MANIFEST_MISC] = "MISC",
};
enum { TAGS = sizeof tag_names / sizeof *tag_names };

struct cursor {
	struct manifest *m;
	struct str rest; /* of the line */
	const char *path;
	size_t line;
	struct err *e;
};

static bool bad(const struct cursor *c, const char *why)
{
	return err_set(c->e, ERR_FAILED, "manifest.syntax",
		"%s:%zu: %s; a line is: TAG NAME SIZE HASH HEX [HASH HEX]…", c->path, c->line, why);
}

static int hex_value(char c)
{
	if (chr_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void add_utf8(struct buf *out, unsigned long c)
{
	if (c < 0x80) {
		buf_addc(out, (char)c);
		return;
	}
	unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };
	buf_addc(out, (char)(lead[more] | (c >> (6 * more))));
	while (more-- > 0)
		buf_addc(out, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

/* Digits that follow \x, \u, \U; 0 for another letter. */
static size_t escape_digits(char c)
{
	switch (c) {
	case 'x':
		return 2;
	case 'u':
		return 4;
	case 'U':
		return 8;
	default:
		return 0;
	}
}

/* Undo the escapes of GLEP 74. False: a backslash that begins none of them. */
static bool decode_name(struct str s, struct buf *out)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\\') {
			buf_addc(out, s.p[i]);
			continue;
		}
		size_t n = i + 1 < s.n ? escape_digits(s.p[i + 1]) : 0;
		unsigned long c = 0;
		if (n == 0 || i + 1 + n >= s.n)
			return false;
		for (size_t k = 0; k < n; k++) {
			int digit = hex_value(s.p[i + 2 + k]);
			if (digit < 0)
				return false;
			c = c * 16 + (unsigned long)digit;
		}
		if (c == 0 || c > 0x10ffff)
			return false;
		add_utf8(out, c);
		i += 1 + n;
	}
	return true;
}

/* No way out of the package's directory, and DIST names no directory at all. */
static bool name_is_safe(const char *name, enum manifest_tag tag)
{
	struct str rest = str_of(name), part;
	if (name[0] == '/' || name[0] == '\0' || (tag == MANIFEST_DIST && strchr(name, '/')))
		return false;
	while (str_split(&rest, '/', &part)) {
		if (str_is(part, "..") || str_is(part, ".") || part.n == 0)
			return false;
	}
	return true;
}

static bool parse_name(struct cursor *c, struct manifest_entry *entry)
{
	struct str word;
	struct buf name = BUF_INIT;
	if (!str_word(&c->rest, &word))
		return bad(c, "no name");
	bool ok = decode_name(word, &name) || bad(c, "a backslash that is no \\xNN");
	if (ok && !name_is_safe(buf_str(&name), entry->tag))
		ok = bad(c, "a name that leads elsewhere");
	entry->name = arena_strdup(&c->m->arena, buf_str(&name));
	buf_fini(&name);
	return ok;
}

static bool parse_size(struct cursor *c, struct manifest_entry *entry)
{
	struct str word;
	if (!str_word(&c->rest, &word) || word.n > 19)
		return bad(c, "no size");
	for (size_t i = 0; i < word.n; i++) {
		if (!chr_digit(word.p[i]))
			return bad(c, "the size is not a number");
		entry->size = entry->size * 10 + (uint64_t)(word.p[i] - '0');
	}
	return true;
}

static bool parse_hex(struct cursor *c, struct str word, const char **out)
{
	char *hex = arena_strndup(&c->m->arena, word.p, word.n);
	for (char *at = hex; *at != '\0'; at++) {
		int digit = hex_value(*at);
		if (digit < 0)
			return bad(c, "a hash is not hexadecimal");
		*at = "0123456789abcdef"[digit];
	}
	*out = hex;
	return true;
}

static bool parse_hashes(struct cursor *c, struct manifest_entry *entry)
{
	VEC(struct manifest_hash) all = { 0 };
	struct str name, hex;
	bool ok = true;
	while (ok && str_word(&c->rest, &name)) {
		struct manifest_hash h = { .name = arena_strndup(&c->m->arena, name.p, name.n) };
		ok = str_word(&c->rest, &hex) ? parse_hex(c, hex, &h.hex)
					      : bad(c, "a hash without its value");
		vec_push(&all, h);
	}
	if (ok && all.n == 0)
		ok = bad(c, "no hash");
	entry->n_hashes = all.n;
	struct manifest_hash *kept = arena_calloc(&c->m->arena, all.n + 1, sizeof *kept);
	for (size_t i = 0; i < all.n; i++)
		kept[i] = all.v[i];
	entry->hashes = kept;
	vec_fini(&all);
	return ok;
}

static bool contradicts(const struct manifest_entry *a, const struct manifest_entry *b)
{
	if (a->size != b->size)
		return true;
	for (size_t i = 0; i < a->n_hashes; i++) {
		const char *other = manifest_hash(b, a->hashes[i].name);
		if (other != NULL && strcmp(other, a->hashes[i].hex) != 0)
			return true;
	}
	return false;
}

static bool parse_line(struct cursor *c)
{
	struct str word;
	struct manifest_entry entry = { 0 };
	size_t tag = 0;
	if (!str_word(&c->rest, &word))
		return true;
	while (tag < TAGS && !str_is(word, tag_names[tag]))
		tag++;
	if (tag == TAGS)
		return true;
	entry.tag = (enum manifest_tag)tag;
	if (c->rest.n > 0 && memchr(c->rest.p, '\0', c->rest.n) != NULL)
		return bad(c, "a NUL byte");
	if (!parse_name(c, &entry) || !parse_size(c, &entry) || !parse_hashes(c, &entry))
		return false;
	const struct manifest_entry *old = manifest_find(c->m, entry.tag, entry.name);
	if (old != NULL && contradicts(old, &entry))
		return bad(c, "contradicts an earlier line of the same name");
	if (old == NULL)
		vec_push(&c->m->v, entry);
	return true;
}

bool manifest_parse(struct manifest *m, struct str text, const char *path, struct err *e)
{
	struct cursor c = { .m = m, .path = path, .e = e };
	while (str_split(&text, '\n', &c.rest)) {
		c.line++;
		if (!parse_line(&c))
			return false;
	}
	return true;
}

void manifest_fini(struct manifest *m)
{
	arena_fini(&m->arena);
	vec_fini(&m->v);
}

static size_t index_of(const struct manifest *m, enum manifest_tag tag, const char *name)
{
	size_t i = 0;
	while (i < m->v.n && (m->v.v[i].tag != tag || strcmp(m->v.v[i].name, name) != 0))
		i++;
	return i;
}

const struct manifest_entry *manifest_find(
	const struct manifest *m, enum manifest_tag tag, const char *name)
{
	size_t i = index_of(m, tag, name);
	return i < m->v.n ? &m->v.v[i] : NULL;
}

const char *manifest_hash(const struct manifest_entry *entry, const char *name)
{
	for (size_t i = 0; i < entry->n_hashes; i++) {
		if (strcmp(entry->hashes[i].name, name) == 0)
			return entry->hashes[i].hex;
	}
	return NULL;
}

void manifest_set(struct manifest *m, const struct manifest_entry *entry)
{
	size_t at = index_of(m, entry->tag, entry->name);
	struct manifest_hash *hashes = arena_calloc(&m->arena, entry->n_hashes + 1, sizeof *hashes);
	for (size_t i = 0; i < entry->n_hashes; i++)
		hashes[i] = (struct manifest_hash){ arena_strdup(&m->arena, entry->hashes[i].name),
			arena_strdup(&m->arena, entry->hashes[i].hex) };
	struct manifest_entry copy = *entry;
	copy.name = arena_strdup(&m->arena, entry->name);
	copy.hashes = hashes;
	if (at < m->v.n)
		m->v.v[at] = copy;
	else
		vec_push(&m->v, copy);
}

void manifest_filter(
	struct manifest *m, bool (*keep)(void *ctx, const struct manifest_entry *entry), void *ctx)
{
	size_t kept = 0;
	for (size_t i = 0; i < m->v.n; i++) {
		if (keep(ctx, &m->v.v[i]))
			m->v.v[kept++] = m->v.v[i];
	}
	m->v.n = kept;
}

static int by_tag_and_name(const void *a, const void *b)
{
	const struct manifest_entry *x = a, *y = b;
	int c = strcmp(tag_names[x->tag], tag_names[y->tag]);
	return c != 0 ? c : strcmp(x->name, y->name);
}

static int by_hash_name(const void *a, const void *b)
{
	const struct manifest_hash *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static void format_name(const char *name, struct buf *out)
{
	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;
		if (c <= ' ' || c == 0x7f || c == '\\')
			buf_printf(out, "\\x%02X", c);
		else
			buf_addc(out, *name);
	}
}

static void format_entry(const struct manifest_entry *entry, struct buf *out)
{
	struct manifest_hash *hashes = xcalloc(entry->n_hashes + 1, sizeof *hashes);
	for (size_t i = 0; i < entry->n_hashes; i++)
		hashes[i] = entry->hashes[i];
	qsort(hashes, entry->n_hashes, sizeof *hashes, by_hash_name);
	buf_printf(out, "%s ", tag_names[entry->tag]);
	format_name(entry->name, out);
	buf_printf(out, " %llu", (unsigned long long)entry->size);
	for (size_t i = 0; i < entry->n_hashes; i++)
		buf_printf(out, " %s %s", hashes[i].name, hashes[i].hex);
	buf_addc(out, '\n');
	free(hashes);
}

void manifest_format(const struct manifest *m, struct buf *out)
{
	struct manifest_entry *sorted = xcalloc(m->v.n + 1, sizeof *sorted);
	for (size_t i = 0; i < m->v.n; i++)
		sorted[i] = m->v.v[i];
	qsort(sorted, m->v.n, sizeof *sorted, by_tag_and_name);
	for (size_t i = 0; i < m->v.n; i++)
		format_entry(&sorted[i], out);
	free(sorted);
}
