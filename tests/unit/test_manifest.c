#include "manifest.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool parse(struct manifest *m, const char *text, struct err *e)
{
	return manifest_parse(m, str_of(text), "Manifest", e);
}

static const char one[] = "DIST make-4.4.1.tar.gz 2348200 SHA512 ABcd BLAKE2B 0123 NEWHASH ffff\n";

TEST(manifest_reads_a_dist_line)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	CHECK_OK(parse(&m, one, &e), e);
	const struct manifest_entry *d = manifest_find(&m, MANIFEST_DIST, "make-4.4.1.tar.gz");
	CHECK(d != NULL && d->size == 2348200 && d->n_hashes == 3);
	CHECK(d != NULL && strcmp(manifest_hash(d, "SHA512"), "abcd") == 0);
	CHECK(d != NULL && manifest_hash(d, "SHA256") == NULL);
	CHECK(manifest_find(&m, MANIFEST_AUX, "make-4.4.1.tar.gz") == NULL);
	manifest_fini(&m);
}

TEST(manifest_passes_over_lines_of_other_kinds)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	CHECK_OK(parse(&m,
			 "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nIGNORE distfiles\n"
			 "TIMESTAMP 2026-01-01T00:00:00Z\nDISTFILE x 1 A b\n",
			 &e),
		e);
	CHECK(m.v.n == 0);
	manifest_fini(&m);
}

TEST(manifest_names_the_line_that_is_wrong)
{
	static const char *const bad[] = { "DIST\n", "DIST a\n", "DIST a x SHA512 00\n",
		"DIST a 1\n", "DIST a 1 SHA512\n", "DIST a 1 SHA512 xyz\n",
		"DIST a/b 1 SHA512 00\n", "DIST /a 1 SHA512 00\n", "AUX ../a 1 SHA512 00\n",
		"AUX a/./b 1 SHA512 00\n", "AUX a\\q 1 SHA512 00\n", "AUX a\\x0 1 SHA512 00\n",
		"AUX a\\x00 1 SHA512 00\n", "DIST a 99999999999999999999 SHA512 00\n",
		"DIST a 1 SHA512 00\nDIST a 2 SHA512 00\n",
		"DIST a 1 SHA512 00\nDIST a 1 SHA512 01\n" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct manifest m = { 0 };
		struct err e = ERR_INIT;
		char *text = xasprintf("\n%s", bad[i]);
		CHECK(!parse(&m, text, &e));
		const char *line = strchr(bad[i], '\n')[1] != '\0' ? "Manifest:3:" : "Manifest:2:";
		CHECK(strstr(e.message, line) == e.message);
		free(text);
		manifest_fini(&m);
	}
}

TEST(manifest_refuses_nul_bytes)
{
	static const char text[] = "DIST a 1 SHA512 \0";
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	CHECK(!manifest_parse(&m, (struct str){ text, sizeof text - 1 }, "Manifest", &e));
	CHECK(strstr(e.message, "NUL") != NULL);
	manifest_fini(&m);
}

TEST(manifest_allows_the_same_line_twice)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	CHECK_OK(parse(&m, "DIST a 1 SHA512 00\nDIST a 1 BLAKE2B 01 SHA512 00\n", &e), e);
	CHECK(m.v.n == 1);
	manifest_fini(&m);
}

TEST(manifest_writes_in_the_order_of_portage)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	struct buf out = BUF_INIT;
	CHECK_OK(parse(&m,
			 "MISC metadata.xml 1 SHA512 00 BLAKE2B 01\nDIST b 1 SHA512 00\n"
			 "DIST a 1 SHA512 00\nAUX fix.patch 3 SHA512 00\n",
			 &e),
		e);
	manifest_format(&m, &out);
	CHECK_STR(buf_str(&out), "AUX fix.patch 3 SHA512 00\nDIST a 1 SHA512 00\n"
				 "DIST b 1 SHA512 00\n"
				 "MISC metadata.xml 1 BLAKE2B 01 SHA512 00\n");
	buf_fini(&out);
	manifest_fini(&m);
}

TEST(manifest_escapes_and_decodes_odd_names)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	struct buf out = BUF_INIT;
	CHECK_OK(parse(&m, "AUX a\\x20b\\u00e9\\U0001f600\\x5c 1 SHA512 00\n", &e), e);
	CHECK(manifest_find(&m, MANIFEST_AUX, "a b\xc3\xa9\xf0\x9f\x98\x80\\") != NULL);
	manifest_format(&m, &out);
	CHECK_STR(buf_str(&out), "AUX a\\x20b\xc3\xa9\xf0\x9f\x98\x80\\x5C 1 SHA512 00\n");
	buf_fini(&out);
	manifest_fini(&m);
}

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
	free(path);
}

static bool is_dist(void *ctx, const struct manifest_entry *entry)
{
	(void)ctx;
	return entry->tag == MANIFEST_DIST;
}

TEST(manifest_verifies_size_then_hashes)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	char *why = NULL;
	const char *dir = test_dir();
	int at = open(dir, O_RDONLY | O_DIRECTORY);
	put(dir, "a", "hello");
	CHECK_OK(manifest_set_file(&m, MANIFEST_DIST, "a", at, &e), e);
	CHECK_OK(manifest_verify_file(&m.v.v[0], at, "a", &why, &e), e);
	CHECK(why == NULL);
	put(dir, "a", "hellO");
	CHECK_OK(manifest_verify_file(&m.v.v[0], at, "a", &why, &e), e);
	CHECK(why != NULL && strncmp(why, "BLAKE2B is ", 11) == 0);
	free(why);
	put(dir, "a", "hello!");
	CHECK_OK(manifest_verify_file(&m.v.v[0], at, "a", &why, &e), e);
	CHECK_STR(why, "size is 6, must be 5");
	free(why);
	CHECK_OK(manifest_verify_file(&m.v.v[0], at, "b", &why, &e), e);
	CHECK_STR(why, "absent");
	free(why);
	close(at);
	manifest_fini(&m);
}

TEST(manifest_trusts_no_hash_it_does_not_know)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	char *why = NULL;
	const char *dir = test_dir();
	int at = open(dir, O_RDONLY | O_DIRECTORY);
	put(dir, "a", "x");
	CHECK_OK(parse(&m, "DIST a 1 WHIRLPOOL 00\n", &e), e);
	CHECK_OK(manifest_verify_file(&m.v.v[0], at, "a", &why, &e), e);
	CHECK(why != NULL);
	free(why);
	close(at);
	manifest_fini(&m);
}

TEST(manifest_of_a_package_covers_its_files)
{
	struct manifest m = { 0 };
	struct err e = ERR_INIT;
	struct strv report = STRV_INIT;
	const char *dir = test_dir();
	char *files = xasprintf("%s/files", dir);
	int at = open(dir, O_RDONLY | O_DIRECTORY);
	CHECK(mkdir(files, 0755) == 0);
	put(dir, "p-1.lua", "return");
	put(dir, "Manifest", "");
	put(dir, ".hidden", "");
	put(files, "fix.patch", "patch");
	CHECK_OK(manifest_set_file(&m, MANIFEST_AUX, "fix.patch", at, &e), e);
	CHECK_OK(manifest_verify_package(&m, at, &report, &e), e);
	CHECK(report.n == 1);
	CHECK_STR(report.n > 0 ? report.v[0] : "", "p-1.lua: not listed in the Manifest");
	strv_fini(&report);
	CHECK_OK(manifest_set_file(&m, MANIFEST_EBUILD, "p-1.lua", at, &e), e);
	CHECK_OK(manifest_verify_package(&m, at, &report, &e), e);
	CHECK(report.n == 0);
	put(files, "fix.patch", "other");
	CHECK_OK(manifest_verify_package(&m, at, &report, &e), e);
	CHECK(report.n == 1 && strncmp(report.v[0], "files/fix.patch: BLAKE2B is ", 28) == 0);
	strv_fini(&report);
	manifest_filter(&m, is_dist, NULL);
	CHECK_OK(manifest_verify_package(&m, at, &report, &e), e);
	CHECK(m.v.n == 0 && report.n == 0);
	close(at);
	free(files);
	manifest_fini(&m);
}
