/* environment.bz2: the state of bash that Portage saves with a package. bzlib is used only here. */
#include "vdb_int.h"

#include <bzlib.h>

#define BLOCK_100K 9
#define CHUNK 65536
#define MAX_PLAIN ((size_t)64 << 20) /* what an environment can be expected to stay below */

/* As in bash's own output: inside double quotes these four are special. */
static void quoted(struct buf *out, struct str value)
{
	buf_addc(out, '"');
	for (size_t i = 0; i < value.n; i++) {
		if (strchr("\"\\$`", value.p[i]) != NULL && value.p[i] != '\0')
			buf_addc(out, '\\');
		buf_addc(out, value.p[i]);
	}
	buf_addc(out, '"');
}

static bool is_variable(struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		if (!chr_alnum(name.p[i]) && name.p[i] != '_')
			return false;
	}
	return name.n > 0 && !chr_digit(name.p[0]);
}

static void declare(struct buf *out, const char *how, struct str name, struct str value)
{
	buf_printf(out, "declare %s %.*s=", how, STR_ARG(name));
	quoted(out, value);
	buf_addc(out, '\n');
}

static bool given(const char *const *env, struct str name)
{
	for (; env != NULL && *env != NULL; env++) {
		if (strncmp(*env, name.p, name.n) == 0 && (*env)[name.n] == '=')
			return true;
	}
	return false;
}

static void compose(struct buf *out, const struct vdb_fields *f, const char *const *env)
{
	struct str name;
	for (const char *const *at = env; at != NULL && *at != NULL; at++) {
		struct str rest = str_of(*at);
		if (str_split(&rest, '=', &name) && is_variable(name))
			declare(out, "-x", name, rest);
	}
	for (size_t i = 0; i < f->list.n; i++) {
		name = str_of(f->list.v[i].name);
		struct str value = f->list.v[i].value;
		if (is_variable(name) && !str_is(name, "NEEDED") && !given(env, name))
			declare(out, "--", name, str_trim(value));
	}
}

bool vdb_set_environment(struct vdb_fields *f, const char *const *env, struct err *e)
{
	struct buf plain = BUF_INIT;
	compose(&plain, f, env);
	/* bzlib's own bound: one per cent and 600 bytes more than the input. */
	unsigned n = (unsigned)(plain.n + plain.n / 100 + 601);
	char *packed = xmalloc(n);
	int r = BZ2_bzBuffToBuffCompress(packed, &n, plain.p, (unsigned)plain.n, BLOCK_100K, 0, 0);
	if (r == BZ_OK)
		vdb_set_bytes(f, "environment.bz2", (struct str){ packed, n });
	else
		err_set(e, ERR_FAILED, "vdb.bzip2", "compressing environment.bz2: bzlib error %d",
			r);
	free(packed);
	buf_fini(&plain);
	return r == BZ_OK;
}

static int unpack(bz_stream *z, struct buf *out)
{
	char *chunk = xmalloc(CHUNK);
	int r = BZ_OK;
	while (r == BZ_OK && out->n < MAX_PLAIN) {
		unsigned left = z->avail_in;
		z->next_out = chunk;
		z->avail_out = CHUNK;
		r = BZ2_bzDecompress(z);
		buf_add(out, chunk, CHUNK - z->avail_out);
		if (r == BZ_OK && z->avail_in == left && z->avail_out == CHUNK)
			r = BZ_UNEXPECTED_EOF;
	}
	free(chunk);
	return r;
}

static bool read_environment(const struct vdb_pkg *p, struct buf *out, struct err *e)
{
	struct buf packed = BUF_INIT;
	bool found;
	int r = BZ_STREAM_END;
	bool ok = vdb_read_file(p, "environment.bz2", &packed, &found, e);
	if (ok && packed.n > 0) {
		bz_stream z = { .next_in = packed.p, .avail_in = (unsigned)packed.n };
		r = BZ2_bzDecompressInit(&z, 0, 0);
		if (r == BZ_OK)
			r = unpack(&z, out);
		BZ2_bzDecompressEnd(&z);
	}
	buf_fini(&packed);
	if (ok && r != BZ_STREAM_END)
		return err_set(e, ERR_FAILED, "vdb.bzip2",
			"environment.bz2 of %s/%s is damaged (bzlib error %d)", p->category, p->pf,
			r);
	return ok;
}

static bool escapes(char quote, struct str rest)
{
	if (rest.n < 2 || rest.p[0] != '\\' || quote == '\'')
		return false;
	return quote == '\0' || strchr("\"\\$`\n", rest.p[1]) != NULL;
}

/* A word of bash with its quotes taken off, up to the end of the word. */
static char *unquoted(struct str text)
{
	struct buf out = BUF_INIT;
	char quote = '\0';
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		if (quote == '\0' && (c == '\n' || c == ' '))
			break;
		if (escapes(quote, (struct str){ text.p + i, text.n - i }))
			buf_addc(&out, text.p[++i]);
		else if (c == quote)
			quote = '\0';
		else if (quote == '\0' && (c == '"' || c == '\''))
			quote = c;
		else
			buf_addc(&out, c);
	}
	return buf_take(&out);
}

/* The text behind "NAME=" if the line sets that variable. */
static bool value_of(struct str line, const char *name, const char **value)
{
	struct str rest = line, word;
	if (str_starts(line, "declare ")) {
		str_word(&rest, &word);
		str_word(&rest, &word);
		rest = str_trim(rest);
	}
	size_t n = strlen(name);
	if (!str_starts(rest, name) || rest.n <= n || rest.p[n] != '=')
		return false;
	*value = rest.p + n + 1;
	return true;
}

char *vdb_environment_get(const struct vdb_pkg *p, const char *name, struct err *e)
{
	struct buf text = BUF_INIT;
	char *result = NULL;
	if (read_environment(p, &text, e)) {
		struct str rest = { buf_str(&text), text.n }, line;
		const char *value = NULL, *end = rest.p + rest.n;
		while (result == NULL && str_split(&rest, '\n', &line)) {
			if (value_of(line, name, &value))
				result = unquoted((struct str){ value, (size_t)(end - value) });
		}
	}
	buf_fini(&text);
	return result;
}
