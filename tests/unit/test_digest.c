#include "digest.h"
#include "mem.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* Known answers: RFC 1321 A.5, FIPS 180-4 examples, RFC 7693 appendix A. */
static const struct {
	enum digest_algo algo;
	const char *abc, *empty;
} known[] = {
	{ DIGEST_MD5, "900150983cd24fb0d6963f7d28e17f72", "d41d8cd98f00b204e9800998ecf8427e" },
	{ DIGEST_SHA256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ DIGEST_SHA512,
		"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
		"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
		"cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
		"47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e" },
	{ DIGEST_BLAKE2B,
		"ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
		"7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
		"786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
		"d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce" },
};

TEST(digest_known_answers)
{
	char hex[DIGEST_HEX_MAX];
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		digest_bytes("abc", 3, known[i].algo, hex);
		CHECK_STR(hex, known[i].abc);
		digest_bytes("", 0, known[i].algo, hex);
		CHECK_STR(hex, known[i].empty);
	}
}

TEST(digest_pieces_equal_the_whole_for_every_algorithm_at_once)
{
	enum { N = 1000 };
	char data[N], whole[DIGEST_HEX_MAX], pieces[DIGEST_HEX_MAX];
	for (size_t i = 0; i < N; i++)
		data[i] = (char)(i * 7);
	struct digest *d = digest_new(DIGEST_MD5 | DIGEST_SHA256 | DIGEST_SHA512 | DIGEST_BLAKE2B);
	for (size_t at = 0, step = 1; at < N; at += step, step = step % 97 + 1) {
		if (step > N - at)
			step = N - at;
		digest_add(d, data + at, step);
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		digest_bytes(data, N, known[i].algo, whole);
		digest_hex(d, known[i].algo, pieces);
		CHECK_STR(pieces, whole);
		digest_hex(d, known[i].algo, pieces);
		CHECK_STR(pieces, whole);
	}
	digest_free(d);
}

TEST(digest_of_a_file_counts_its_bytes)
{
	struct err e = ERR_INIT;
	char hex[DIGEST_HEX_MAX];
	char *path = xasprintf("%s/abc", test_dir());
	FILE *f = fopen(path, "w");
	CHECK(f != NULL && fputs("abc", f) >= 0 && fclose(f) == 0);
	CHECK_OK(digest_file(AT_FDCWD, path, DIGEST_SHA256, hex, &e), e);
	CHECK_STR(hex, known[1].abc);
	free(path);
}

TEST(digest_of_an_absent_file_names_it)
{
	struct err e = ERR_INIT;
	char hex[DIGEST_HEX_MAX];
	CHECK(!digest_file(AT_FDCWD, "/nonexistent/x", DIGEST_MD5, hex, &e));
	CHECK(e.sys == ENOENT && strstr(e.message, "/nonexistent/x") != NULL);
}
