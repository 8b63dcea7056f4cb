#include "fs.h"
#include "mem.h"
#include "mirror.h"
#include "mirror_apt.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>

/* Addresses of a name as "URL[ via PROXY]" lines; "unknown" when the name is not known. */
static char *expanded(const struct mirrors *m, const char *uri)
{
	struct mirror_urls urls = { 0 };
	struct buf out = BUF_INIT;
	if (!mirrors_expand(m, uri, &urls))
		return xstrdup("unknown");
	for (size_t i = 0; i < urls.n; i++) {
		buf_printf(&out, "%s", urls.v[i].url);
		if (urls.v[i].proxy != NULL)
			buf_printf(&out, " via %s",
				urls.v[i].proxy[0] != '\0' ? urls.v[i].proxy : "none");
		buf_addc(&out, '\n');
	}
	mirror_urls_fini(&urls);
	return buf_take(&out);
}

static void check_expands(const struct mirrors *m, const char *uri, const char *want)
{
	char *got = expanded(m, uri);
	CHECK_STR(got, want);
	free(got);
}

TEST(mirror_expands_lists_in_order)
{
	struct mirrors *m = mirrors_new();
	mirrors_add(m, STR("# the user's\ngnu http://near.example/gnu/ # mine\n"));
	mirrors_add(m, STR("gnu\thttps://far.example/gnu  http://near.example/gnu\n\nkde "
			   "http://k.example\n"));
	check_expands(m, "mirror://gnu/make/make-4.tar.gz",
		"http://near.example/gnu/make/make-4.tar.gz\n"
		"https://far.example/gnu/make/make-4.tar.gz\n");
	check_expands(m, "mirror://kde/x", "http://k.example/x\n");
	check_expands(m, "mirror://other/x", "unknown");
	check_expands(m, "mirror://gnu", "unknown");
	check_expands(m, "http://gnu/x", "unknown");
	check_expands(NULL, "mirror://gnu/x", "unknown");
	mirrors_free(m);
}

static void put(const char *root, const char *path, const char *text)
{
	struct err e = ERR_INIT;
	char *full = path_join(root, path), *dir = xstrdup(full);
	*strrchr(dir, '/') = '\0';
	CHECK_OK(fs_mkdirs(AT_FDCWD, dir, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, full, text, strlen(text), 0644, &e), e);
	free(dir);
	free(full);
}

/* Where mirror://debian/pool/x leads on a host with these files below its root. */
static void check_apt(const char *root, const char *want)
{
	struct err e = ERR_INIT;
	struct mirrors *m = mirrors_new();
	CHECK_OK(mirrors_add_apt(m, root, &e), e);
	check_expands(m, "mirror://debian/pool/x", want);
	mirrors_free(m);
}

TEST(mirror_debian_is_unknown_without_apt)
{
	check_apt(test_dir(), "unknown");
}

TEST(mirror_debian_comes_from_the_one_line_style)
{
	const char *root = test_dir();
	put(root, "etc/apt/sources.list",
		"# deb http://commented.example/debian x main\n"
		"deb cdrom:[Debian 12 _Bookworm_ - x]/ bookworm main\n"
		"deb [arch=amd64 signed-by=/x y] http://a.example/debian/ bookworm main contrib # "
		"no\n"
		"deb-src http://a.example/debian bookworm main\n"
		"deb http://flat.example/debian ./\n"
		"deb http://a.example/debian-security bookworm-security main\n"
		"rpm http://rpm.example/debian bookworm main\n"
		"deb http://foreign.example/apt stable main\n");
	put(root, "etc/apt/sources.list.d/b.list", "deb http://b.example/debian sid main\n");
	put(root, "etc/apt/sources.list.d/off.list.save",
		"deb http://off.example/debian sid main\n");
	check_apt(root, "http://a.example/debian/pool/x\nhttp://b.example/debian/pool/x\n"
			"http://a.example/debian-security/pool/x\n");
}

TEST(mirror_debian_comes_from_deb822_stanzas)
{
	const char *root = test_dir();
	put(root, "etc/apt/sources.list.d/debian.sources",
		"# a comment\nTypes: deb deb-src\nURIs: http://a.example/debian\n"
		" http://b.example/debian\n# inside\nSuites: bookworm bookworm-updates\n"
		"Components: main\n\n"
		"Types: deb\nURIs: http://off.example/debian\nSuites: x\nComponents: main\n"
		"Enabled: no\n\n\n"
		"types: deb\nuris: file:/srv/debian\nsuites: x\ncomponents: main\n");
	check_apt(root, "http://a.example/debian/pool/x\nhttp://b.example/debian/pool/x\n"
			"file:/srv/debian/pool/x\n");
}

TEST(mirror_debian_is_known_by_its_release_file)
{
	const char *root = test_dir();
	put(root, "etc/apt/sources.list",
		"deb http://corp.example/mirror/os bookworm main\n"
		"deb http://foreign.example/apt stable main\n");
	put(root, "var/lib/apt/lists/corp.example_mirror_os_dists_bookworm_InRelease",
		"Hash: SHA256\n\nOrigin: Debian\nLabel: Debian\n");
	check_apt(root, "http://corp.example/mirror/os/pool/x\n");
}

TEST(mirror_debian_falls_back_to_what_there_is)
{
	const char *root = test_dir();
	put(root, "etc/apt/sources.list",
		"deb https://corp.example/all bookworm main\n"
		"deb https://corp.example/extra bookworm contrib\n");
	check_apt(root, "https://corp.example/all/pool/x\n");
}

TEST(mirror_debian_reads_mirror_lists)
{
	const char *root = test_dir();
	put(root, "etc/apt/sources.list",
		"deb mirror+file:/etc/apt/mirrors/debian.list trixie main\n");
	put(root, "etc/apt/mirrors/debian.list",
		"https://a.example/debian\tpriority:1\n# no\nhttps://b.example/debian/\n");
	check_apt(root, "https://a.example/debian/pool/x\nhttps://b.example/debian/pool/x\n");
}

TEST(mirror_debian_uses_the_proxy_of_apt)
{
	const char *root = test_dir();
	put(root, "etc/apt/sources.list",
		"deb http://a.example/debian x main\n"
		"deb http://near.example/debian x main\n"
		"deb https://tls.example/debian x main\n");
	put(root, "etc/apt/apt.conf.d/30proxy",
		"// a proxy\nAcquire {\n  http { Proxy \"http://cache.example:3142\"; /* x */ "
		"};\n};\n"
		"Acquire::http::Proxy::Near.example \"DIRECT\";\n");
	check_apt(root, "http://a.example/debian/pool/x via http://cache.example:3142\n"
			"http://near.example/debian/pool/x via none\n"
			"https://tls.example/debian/pool/x via http://cache.example:3142\n");
	put(root, "etc/apt/apt.conf",
		"Acquire::HTTPS::Proxy \"DIRECT\"; Acquire::http::Proxy \"\";");
	check_apt(root, "http://a.example/debian/pool/x\n"
			"http://near.example/debian/pool/x via none\n"
			"https://tls.example/debian/pool/x via none\n");
}

TEST(mirror_apt_conf_survives_nonsense)
{
	static const char *const texts[] = { "", "}", "{{{", "a \"b", "/* never ends", "// x",
		"a::b { c; } } d \"e\";", ";;;\"\"" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct apt_conf c = { 0 };
		apt_conf_parse(str_of(texts[i]), &c);
		CHECK(apt_conf_get(&c, "x") == NULL);
		apt_conf_fini(&c);
	}
}
