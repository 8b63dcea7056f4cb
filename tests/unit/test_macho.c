#include "macho.h"
#include "test.h"

struct image {
	unsigned char d[2048];
	size_t n;
	bool big;
};

static void put(struct image *m, size_t off, unsigned width, unsigned long long v)
{
	for (unsigned i = 0; i < width; i++)
		m->d[off + (m->big ? width - 1 - i : i)] = (unsigned char)(v >> 8 * i);
}

/* Append a load command that holds a string at offset `where`. */
static size_t command(struct image *m, size_t at, unsigned cmd, unsigned where, const char *s)
{
	unsigned size = (unsigned)(where + strlen(s) + 1 + 7) & ~7u;
	put(m, at, 4, cmd);
	put(m, at + 4, 4, size);
	put(m, at + 8, 4, where);
	memcpy(m->d + at + where, s, strlen(s) + 1);
	return at + size;
}

static void make(struct image *m, size_t base, bool is64, bool big)
{
	m->big = big;
	put(m, base, 4, is64 ? 0xfeedfacf : 0xfeedface);
	put(m, base + 4, 4, is64 ? 0x0100000c : 18);
	put(m, base + 8, 4, 0x80000002);
	put(m, base + 12, 4, 6);
	put(m, base + 16, 4, 7);
	size_t start = base + (is64 ? 32 : 28), at = start;
	at = command(m, at, 0xd, 24, "/p/usr/lib/libz.1.dylib");
	at = command(m, at, 0xc, 24, "/usr/lib/libSystem.B.dylib");
	at = command(m, at, 0x80000018, 24, "@rpath/libweak.dylib");
	at = command(m, at, 0x8000001f, 24, "/p/usr/lib/libre.dylib");
	at = command(m, at, 0x8000001c, 12, "@loader_path/../lib");
	at = command(m, at, 0xe, 12, "/usr/lib/dyld");
	put(m, at, 4, 0x1b); /* LC_UUID: not looked at */
	put(m, at + 4, 4, 24);
	at += 24;
	put(m, base + 20, 4, at - start);
	m->n = at;
}

static void check_slice(const struct macho_slice *s, bool is64)
{
	CHECK(s->is64 == is64 && s->filetype == 6 && s->subtype == 2);
	CHECK_STR(macho_arch(s), is64 ? "arm64" : "ppc");
	CHECK_STR(s->id, "/p/usr/lib/libz.1.dylib");
	CHECK_STR(s->dylinker, "/usr/lib/dyld");
	CHECK(s->needed.n == 3 && s->rpaths.n == 1);
	CHECK_STR(s->needed.v[0], "/usr/lib/libSystem.B.dylib");
	CHECK_STR(s->needed.v[1], "@rpath/libweak.dylib");
	CHECK_STR(s->needed.v[2], "/p/usr/lib/libre.dylib");
	CHECK_STR(s->rpaths.v[0], "@loader_path/../lib");
}

TEST(macho_reads_both_classes_and_byte_orders)
{
	for (unsigned i = 0; i < 4; i++) {
		struct image m = { 0 };
		struct macho o = MACHO_INIT;
		struct err e = ERR_INIT;
		make(&m, 0, i & 1, i & 2);
		CHECK(macho_is(m.d, m.n));
		CHECK_OK(macho_read(m.d, m.n, &o, &e), e);
		CHECK(o.slices.n == 1);
		check_slice(&o.slices.v[0], i & 1);
		macho_fini(&o);
	}
}

/* A fat file of a 64-bit little-endian and a 32-bit big-endian slice. */
static void make_fat(struct image *m, bool wide)
{
	*m = (struct image){ 0 };
	make(m, 256, true, false);
	size_t n1 = m->n - 256;
	make(m, 1024, false, true);
	size_t n2 = m->n - 1024;
	m->big = true;
	put(m, 0, 4, wide ? 0xcafebabf : 0xcafebabe);
	put(m, 4, 4, 2);
	size_t entry = wide ? 32 : 20, width = wide ? 8 : 4;
	put(m, 8 + 8, (unsigned)width, 256);
	put(m, 8 + 8 + width, (unsigned)width, n1);
	put(m, 8 + entry + 8, (unsigned)width, 1024);
	put(m, 8 + entry + 8 + width, (unsigned)width, n2);
}

TEST(macho_reads_fat_files)
{
	for (unsigned wide = 0; wide < 2; wide++) {
		struct image m;
		struct macho o = MACHO_INIT;
		struct err e = ERR_INIT;
		make_fat(&m, wide);
		CHECK(macho_is(m.d, m.n));
		CHECK_OK(macho_read(m.d, m.n, &o, &e), e);
		CHECK(o.slices.n == 2);
		check_slice(&o.slices.v[0], true);
		check_slice(&o.slices.v[1], false);
		macho_fini(&o);
	}
}

TEST(macho_leaves_out_archives_of_a_universal_static_library)
{
	struct image m;
	struct macho o = MACHO_INIT;
	struct err e = ERR_INIT;
	make_fat(&m, false);
	memcpy(m.d + 256, "!<arch>\n", 8);
	CHECK_OK(macho_read(m.d, m.n, &o, &e), e);
	CHECK(o.slices.n == 1);
	macho_fini(&o);
}

static bool refused(const struct image *m, size_t n)
{
	struct macho o = MACHO_INIT;
	struct err e = ERR_INIT;
	bool ok = macho_read(m->d, n, &o, &e);
	macho_fini(&o);
	return !ok && e.message[0] != '\0';
}

TEST(macho_cut_anywhere_is_an_error)
{
	struct image m = { 0 };
	make(&m, 0, true, false);
	for (size_t n = 0; n < m.n; n++)
		CHECK(refused(&m, n));
	make_fat(&m, false);
	for (size_t n = 0; n < m.n; n++)
		CHECK(refused(&m, n));
}

TEST(macho_bad_commands_are_refused)
{
	struct image m = { 0 };
	make(&m, 0, true, false);
	put(&m, 32 + 4, 4, 4); /* a command smaller than its header */
	CHECK(refused(&m, m.n));
	make(&m, 0, true, false);
	put(&m, 32 + 4, 4, 0xfffffff0); /* one larger than all commands */
	CHECK(refused(&m, m.n));
	make(&m, 0, true, false);
	put(&m, 32 + 8, 4, 0xfffffff0); /* a string outside its command */
	CHECK(refused(&m, m.n));
	make(&m, 0, true, false);
	put(&m, 16, 4, 100); /* more commands than there are */
	CHECK(refused(&m, m.n));
}

TEST(macho_is_not_a_java_class)
{
	static const unsigned char java[] = { 0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 20 };
	struct macho o = MACHO_INIT;
	struct err e = ERR_INIT;
	CHECK(!macho_is(java, sizeof java));
	CHECK(!macho_read(java, sizeof java, &o, &e));
	CHECK_STR(e.what, "macho.format");
	macho_fini(&o);
}
