#include "digest.h"
#include "fetch.h"
#include "fetch_env.h"
#include "fetch_hosts.h"
#include "fetch_layout.h"
#include "fetch_part.h"
#include "fetch_sniff.h"
#include "fetch_stamp.h"
#include "fetch_url.h"
#include "fs.h"
#include "mem.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What downloading does without a network. */

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
	free(path);
}

static bool is_there(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	bool there = access(path, F_OK) == 0;
	free(path);
	return there;
}

TEST(fetch_url_finds_host_and_port)
{
	static const char *const pairs[][2] = {
		{ "http://Example.ORG/a", "example.org:80" },
		{ "https://example.org", "example.org:443" },
		{ "https://example.org:8443/x?y#z", "example.org:8443" },
		{ "http://user:pa@ss@host/x", "host:80" },
		{ "http://[::1]/x", "[::1]:80" },
		{ "http://[::1]:81/x", "[::1]:81" },
		{ "/local/path", "" },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *got = url_authority(pairs[i][0]);
		CHECK_STR(got, pairs[i][1]);
		free(got);
	}
}

TEST(fetch_url_finds_local_paths)
{
	static const char *const pairs[][2] = {
		{ "/a b", "/a b" },
		{ "file:///a%20b%2", "/a b%2" },
		{ "file://localhost/a", "/a" },
		{ "file:/a", "/a" },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		char *got = url_local_path(pairs[i][0]);
		CHECK_STR(got, pairs[i][1]);
		free(got);
	}
	CHECK(url_local_path("http://host/a") == NULL);
	CHECK(url_local_path("file://host/a") == NULL);
}

TEST(fetch_url_hides_passwords)
{
	char *hidden = url_shown("https://me:secret@host/x"),
	     *plain = url_shown("http://host/x:y@z");
	CHECK_STR(hidden, "https://me:***@host/x");
	CHECK_STR(plain, "http://host/x:y@z");
	free(hidden);
	free(plain);
}

TEST(fetch_sniff_tells_pages_from_archives)
{
	static const char *const pages[] = { "<!DOCTYPE html><html>", " \n<HTML lang=en>",
		"\xef\xbb\xbf<!doctype HTML>", "<?xml version='1.0'?>\n<html xmlns='x'>",
		"<!-- saved --><html>" };
	static const char *const others[] = { "", "\x1f\x8b\x08", "<?xml version='1.0'?><svg>",
		"#!/bin/sh\necho '<html>'", "<htm" };
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		CHECK(sniff_is_page(str_of(pages[i])));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(!sniff_is_page(str_of(others[i])));
	CHECK(sniff_page_is_fine("doc.html") && !sniff_page_is_fine("doc.html.gz"));
	CHECK(str_is(sniff_title(STR("<html><TITLE >\n Log in \n</title>")), "Log in"));
	CHECK(sniff_title(STR("<html>")).n == 0);
}

TEST(fetch_layout_follows_glep_75)
{
	struct fetch_file f = { .name = "a+b.tar.gz", .blake2b = "0123456789", .sha512 = "fedcba" };
	struct layout l =
		layout_parse(STR("[structure]\n0=other X 8\n1=filename-hash BLAKE2B 8:12\n"
				 "2=flat\n"));
	char hex[DIGEST_HEX_MAX];
	digest_bytes(f.name, strlen(f.name), DIGEST_BLAKE2B, hex);
	char *want = xasprintf("%.2s/%.3s/a+b.tar.gz", hex, hex + 2),
	     *got = layout_path(&l, &f, true);
	CHECK_STR(got, want);
	free(want);
	free(got);
	l = layout_parse(STR("[structure]\n0=content-hash SHA512 8\n"));
	got = layout_path(&l, &f, true);
	CHECK_STR(got, "fe/fedcba");
	free(got);
	f.sha512 = NULL;
	CHECK(layout_path(&l, &f, true) == NULL);
}

TEST(fetch_layout_is_flat_when_there_is_nothing_to_follow)
{
	static const char *const texts[] = { "", "[structure]\n", "0=filename-hash BLAKE2B 8\n",
		"[structure]\n0=filename-hash BLAKE2B 7\n", "[structure]\n0=filename-hash CRC 8\n",
		"[structure]\n0=flat\n1=filename-hash BLAKE2B 8\n", "[structure]\n=\n0=\n" };
	struct fetch_file f = { .name = "a b" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct layout l = layout_parse(str_of(texts[i]));
		char *got = layout_path(&l, &f, true);
		CHECK_STR(got, "a%20b");
		free(got);
	}
}

TEST(fetch_env_finds_proxies_as_curl_does)
{
	struct fetch_opts o = { .http_proxy = "http://conf:1", .no_proxy = "conf.example" };
	static const char *const names[] = { "http_proxy", "HTTP_PROXY", "https_proxy",
		"HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
	CHECK_STR(env_proxy(&o, "http://host/"), "http://conf:1");
	CHECK_STR(env_proxy(&o, "http://conf.example/"), "");
	CHECK_STR(env_proxy(&o, "https://host/"), "");
	setenv("HTTP_PROXY", "http://cgi:1", 1);
	CHECK_STR(env_proxy(&o, "http://host/"), "http://conf:1");
	setenv("ALL_PROXY", "http://all:1", 1);
	CHECK_STR(env_proxy(&o, "https://host/"), "http://all:1");
	setenv("HTTPS_PROXY", "http://tls:1", 1);
	CHECK_STR(env_proxy(&o, "https://host/"), "http://tls:1");
	setenv("no_proxy", "localhost, .example", 1);
	CHECK_STR(env_proxy(&o, "https://a.example:8443/"), "");
	CHECK_STR(env_proxy(&o, "https://an-example/"), "http://tls:1");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
}

TEST(fetch_env_takes_the_users_certificates_or_says_why_not)
{
	struct env_ca ca;
	struct err e = ERR_INIT;
	char *pem = xasprintf("%s/ca.pem", test_dir());
	struct fetch_opts o = { .ca_file = pem };
	static const char *const names[] = { "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"REQUESTS_CA_BUNDLE", "NIX_SSL_CERT_FILE" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
	CHECK(!env_find_ca(&o, &ca, &e));
	CHECK(strstr(e.message, pem) != NULL && strstr(e.message, "make.conf") != NULL);
	env_ca_fini(&ca);
	int fd = open(pem, O_WRONLY | O_CREAT, 0644);
	close(fd);
	e = ERR_INIT;
	CHECK_OK(env_find_ca(&o, &ca, &e), e);
	CHECK_STR(ca.file, pem);
	env_ca_fini(&ca);
	setenv("SSL_CERT_DIR", "/nonexistent", 1);
	CHECK(!env_find_ca(&o, &ca, &e));
	CHECK(strstr(e.message, "SSL_CERT_DIR names /nonexistent") != NULL);
	env_ca_fini(&ca);
	unsetenv("SSL_CERT_DIR");
	free(pem);
}

TEST(fetch_hosts_are_buried_for_all_processes_of_a_run)
{
	char *file = xasprintf("%s/dead", test_dir());
	struct hosts a = { .file = file }, b = { .file = file };
	hosts_bury(&a, hosts_get(&a, "h:80"), "refused");
	hosts_bury(&a, hosts_get(&a, "h:80"), "again");
	hosts_refresh(&b);
	CHECK_STR(hosts_get(&b, "h:80")->why, "refused");
	CHECK(hosts_get(&b, "other:80")->why == NULL);
	FILE *f = fopen(file, "a");
	CHECK(f != NULL && fputs("half:80\tbei", f) >= 0 && fflush(f) == 0);
	hosts_refresh(&b);
	CHECK(hosts_get(&b, "half:80")->why == NULL);
	CHECK(f != NULL && fputs("ng\n", f) >= 0 && fclose(f) == 0);
	hosts_refresh(&b);
	CHECK_STR(hosts_get(&b, "half:80")->why, "being");
	hosts_fini(&a);
	hosts_fini(&b);
	free(file);
}

static const char abc_sha256[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(fetch_check_compares_and_remembers)
{
	struct fetch_file f = { .name = "abc", .size = 3, .sha256 = abc_sha256 };
	struct err e = ERR_INIT;
	bool good = true;
	const char *dir = test_dir();
	CHECK_OK(fetch_check(dir, &f, &good, &e), e);
	CHECK(!good);
	put(dir, "abc", "abc");
	CHECK_OK(fetch_check(dir, &f, &good, &e), e);
	CHECK(good && is_there(dir, ".eprefix-verified"));
	CHECK_OK(fetch_check(dir, &f, &good, &e), e);
	CHECK(good);
	f.sha512 = "00";
	CHECK_OK(fetch_check(dir, &f, &good, &e), e);
	CHECK(!good);
	f.sha512 = NULL;
	put(dir, "abc", "abd");
	CHECK_OK(fetch_check(dir, &f, &good, &e), e);
	CHECK(!good);
}

TEST(fetch_check_believes_no_list_that_others_may_write)
{
	struct fetch_file f = { .name = "abc", .size = 3, .sha256 = abc_sha256 };
	struct err e = ERR_INIT;
	bool good = false;
	const char *path = test_dir();
	char *list = xasprintf("%s/.eprefix-verified", path);
	int dir = open(path, O_RDONLY | O_DIRECTORY);
	put(path, "abc", "abd");
	stamp_add(dir, &f);
	CHECK_OK(fetch_check(path, &f, &good, &e), e);
	CHECK(good);
	CHECK(chmod(list, 0666) == 0);
	CHECK_OK(fetch_check(path, &f, &good, &e), e);
	CHECK(!good);
	close(dir);
	free(list);
}

TEST(fetch_all_sets_a_wrong_file_aside)
{
	char *source = xasprintf("%s/abc", test_dir());
	const char *const uris[] = { source };
	struct fetch_file f = {
		.name = "abc", .size = 3, .sha256 = abc_sha256, .uris = uris, .n_uris = 1
	};
	struct fetch_job job = { .alternatives = &f, .n_alternatives = 1 };
	struct err e = ERR_INIT;
	struct strv names = STRV_INIT;
	*strrchr(source, '/') = '\0';
	put(source, "abc", "abc");
	source[strlen(source)] = '/';
	const char *dir = test_dir();
	struct fetch_opts o = { .distdir = dir };
	put(dir, "abc", "abd");
	CHECK_OK(fetch_all(&o, &job, 1, &e), e);
	CHECK_OK(fs_list(AT_FDCWD, dir, &names, &e), e);
	CHECK(names.n == 3 && strncmp(names.v[2], "abc._checksum_failure_.", 23) == 0);
	strv_fini(&names);
	free(source);
}

TEST(fetch_all_is_content_with_what_is_there)
{
	struct fetch_file files[] = { { .name = "first", .size = 3, .sha256 = abc_sha256 },
		{ .name = "second", .size = 3, .sha256 = abc_sha256 } };
	struct fetch_job job = { .alternatives = files, .n_alternatives = 2 };
	const char *dir = test_dir();
	struct fetch_opts o = { .distdir = dir, .offline = true };
	struct err e = ERR_INIT;
	put(dir, "second", "abc");
	CHECK_OK(fetch_all(&o, &job, 1, &e), e);
	CHECK(job.chosen == 1);
}

TEST(fetch_all_copies_from_local_mirrors_also_offline)
{
	static const char *const uris[] = { "http://host.invalid/abc" };
	char *mirror = xstrdup(test_dir()), *below = xasprintf("%s/distfiles", mirror);
	char *url = xasprintf("file://%s/", mirror);
	const char *const mirrors[] = { url };
	struct fetch_file f = {
		.name = "abc", .size = 3, .sha256 = abc_sha256, .uris = uris, .n_uris = 1
	};
	struct fetch_job job = { .alternatives = &f, .n_alternatives = 1 };
	const char *dir = test_dir();
	struct fetch_opts o = {
		.distdir = dir, .offline = true, .mirrors = mirrors, .n_mirrors = 1
	};
	struct err e = ERR_INIT;
	CHECK(mkdir(below, 0755) == 0);
	put(below, "abc", "abc");
	CHECK_OK(fetch_all(&o, &job, 1, &e), e);
	CHECK(job.chosen == 0 && is_there(dir, "abc") && !is_there(dir, "abc.__download__"));
	free(url);
	free(below);
	free(mirror);
}

TEST(fetch_all_lists_everything_missing_at_once_when_offline)
{
	static const char *const uris[] = { "http://me:secret@host.invalid/x" };
	struct fetch_file f[] = { { .name = "one", .size = 3, .uris = uris, .n_uris = 1 },
		{ .name = "two", .size = 3 }, { .name = "three", .size = 3 } };
	struct fetch_job jobs[] = {
		{ .owner = "a/one-1", .alternatives = &f[0], .n_alternatives = 1 },
		{ .owner = "a/two-1", .alternatives = &f[1], .n_alternatives = 1 },
		{ .owner = "a/three-1", .alternatives = &f[2], .n_alternatives = 1 },
	};
	const char *dir = test_dir();
	struct fetch_opts o = { .distdir = dir, .offline = true };
	struct err e = ERR_INIT;
	CHECK(!fetch_all(&o, jobs, 3, &e));
	CHECK(e.code == ERR_SOURCE);
	CHECK(strstr(e.message, "one") && strstr(e.message, "two") &&
		strstr(e.message, "a/three-1"));
	CHECK(strstr(e.message, dir) != NULL && strstr(e.message, "secret") == NULL);
	CHECK(jobs[0].chosen == FETCH_NONE);
}

TEST(fetch_all_says_that_distdir_cannot_be_written)
{
	struct fetch_file f = { .name = "one", .size = 3 };
	struct fetch_job job = { .alternatives = &f, .n_alternatives = 1 };
	const char *dir = test_dir();
	char *below = xasprintf("%s/file/below", dir);
	struct fetch_opts o = { .distdir = below };
	struct err e = ERR_INIT;
	put(dir, "file", "");
	CHECK(!fetch_all(&o, &job, 1, &e));
	CHECK(e.code == ERR_FAILED && strstr(e.message, "file") != NULL);
	free(below);
}

TEST(fetch_part_is_left_to_the_process_that_has_it)
{
	struct fetch_file f = { .name = "x", .size = 3 };
	struct part a = PART_NONE, b = PART_NONE;
	struct err e = ERR_INIT;
	bool busy = false;
	const char *path = test_dir();
	int dir = open(path, O_RDONLY | O_DIRECTORY);
	CHECK_OK(part_open(&a, dir, &f, &busy, &e), e);
	CHECK(!busy);
	CHECK_OK(part_open(&b, dir, &f, &busy, &e), e);
	CHECK(busy && b.fd < 0 && is_there(path, "x.__download__"));
	part_close(&a);
	CHECK(!is_there(path, "x.__download__"));
	close(dir);
}

TEST(fetch_list_shows_urls_sizes_and_digests)
{
	static const char *const uris[] = { "mirror://nowhere/abc", "https://host.invalid/abc" };
	struct fetch_file f = {
		.name = "abc", .size = 3, .blake2b = "01", .sha512 = "02", .uris = uris, .n_uris = 2
	};
	struct fetch_job job = { .alternatives = &f, .n_alternatives = 1 };
	struct fetch_opts o = { .distdir = "/nonexistent" };
	struct buf out = BUF_INIT;
	fetch_list(&o, &job, &out);
	CHECK_STR(buf_str(&out), "https://host.invalid/abc\t3\tBLAKE2B=01 SHA512=02\tabc\n"
				 "mirror://nowhere/abc\t3\tBLAKE2B=01 SHA512=02\tabc\n");
	buf_fini(&out);
}
