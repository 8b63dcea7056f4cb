#include "fetch_layout.h"

#include "digest.h"

#include <string.h>

static const struct {
	const char *name;
	enum digest_algo algo;
} algos[] = {
	{ "BLAKE2B", DIGEST_BLAKE2B },
	{ "SHA512", DIGEST_SHA512 },
	{ "SHA256", DIGEST_SHA256 },
	{ "MD5", DIGEST_MD5 },
};

static bool parse_algo(struct str word, unsigned *algo)
{
	for (size_t i = 0; i < sizeof algos / sizeof *algos; i++) {
		if (str_is(word, algos[i].name)) {
			*algo = algos[i].algo;
			return true;
		}
	}
	return false;
}

/* "8" or "8:16:8": bits of hash for each level of directories. */
static bool parse_cutoffs(struct str word, struct layout *l)
{
	size_t n = 0;
	struct str part;
	while (str_split(&word, ':', &part)) {
		unsigned bits = 0;
		for (size_t i = 0; i < part.n && chr_digit(part.p[i]) && bits < 1000; i++)
			bits = bits * 10 + (unsigned)(part.p[i] - '0');
		if (bits == 0 || bits % 4 != 0 || bits > 128 || n + 1 == 8)
			return false;
		l->cutoffs[n++] = bits;
	}
	l->cutoffs[n] = 0;
	return n > 0;
}

/* The right side of "0=filename-hash BLAKE2B 8". */
static bool parse_structure(struct str rest, struct layout *l)
{
	struct str kind, algo, cutoffs;
	*l = (struct layout){ 0 };
	if (!str_word(&rest, &kind))
		return false;
	if (str_is(kind, "flat"))
		return true;
	if (str_is(kind, "filename-hash"))
		l->kind = LAYOUT_NAME_HASH;
	else if (str_is(kind, "content-hash"))
		l->kind = LAYOUT_CONTENT_HASH;
	else
		return false;
	return str_word(&rest, &algo) && parse_algo(algo, &l->algo) && str_word(&rest, &cutoffs) &&
	       parse_cutoffs(cutoffs, l);
}

struct layout layout_parse(struct str text)
{
	struct str line, key;
	bool inside = false;
	while (str_split(&text, '\n', &line)) {
		struct layout l;
		line = str_trim(line);
		if (str_starts(line, "["))
			inside = str_is(line, "[structure]");
		else if (inside && str_split(&line, '=', &key) && chr_digit(*key.p) &&
			 parse_structure(line, &l))
			return l;
	}
	return (struct layout){ .kind = LAYOUT_FLAT };
}

static const char *content_digest(const struct layout *l, const struct fetch_file *file)
{
	switch (l->algo) {
	case DIGEST_BLAKE2B:
		return file->blake2b;
	case DIGEST_SHA512:
		return file->sha512;
	case DIGEST_SHA256:
		return file->sha256;
	default:
		return NULL;
	}
}

static void add_name(struct buf *out, const char *name, bool for_url)
{
	for (; *name != '\0'; name++) {
		bool plain = chr_alnum(*name) || strchr("-._~+@=:,", *name) != NULL;
		if (plain || !for_url)
			buf_addc(out, *name);
		else
			buf_printf(out, "%%%02X", (unsigned char)*name);
	}
}

char *layout_path(const struct layout *l, const struct fetch_file *file, bool for_url)
{
	char hex[DIGEST_HEX_MAX] = "";
	struct buf out = BUF_INIT;
	const char *hash = hex;
	if (l->kind == LAYOUT_NAME_HASH)
		digest_bytes(file->name, strlen(file->name), (enum digest_algo)l->algo, hex);
	else if (l->kind == LAYOUT_CONTENT_HASH)
		hash = content_digest(l, file);
	if (hash == NULL)
		return NULL;
	const char *at = hash;
	for (size_t i = 0; l->kind != LAYOUT_FLAT && l->cutoffs[i] != 0; i++) {
		size_t digits = l->cutoffs[i] / 4;
		if (strlen(at) < digits)
			break;
		buf_add(&out, at, digits);
		buf_addc(&out, '/');
		at += digits;
	}
	add_name(&out, l->kind == LAYOUT_CONTENT_HASH ? hash : file->name, for_url);
	return buf_take(&out);
}
