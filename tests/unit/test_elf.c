#include "elf.h"
#include "test.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An ELF file made by hand: header, three program headers, a dynamic section, strings. */
struct image {
	unsigned char d[1024];
	size_t n;
	bool is64, big;
};

enum { STRINGS = 640, DYNAMIC = 320, INTERP = 600, BASE = 0x10000 };

static void put(struct image *m, size_t off, unsigned width, unsigned long long v)
{
	for (unsigned i = 0; i < width; i++)
		m->d[off + (m->big ? width - 1 - i : i)] = (unsigned char)(v >> 8 * i);
}

static void segment(struct image *m, unsigned i, unsigned type, size_t off, size_t size)
{
	unsigned w = m->is64 ? 8 : 4;
	size_t at = (m->is64 ? 64 : 52) + i * (m->is64 ? 56 : 32);
	put(m, at, 4, type);
	put(m, at + (m->is64 ? 8 : 4), w, off);
	put(m, at + (m->is64 ? 16 : 8), w, BASE + off);
	put(m, at + (m->is64 ? 32 : 16), w, size);
}

static void dyn(struct image *m, unsigned i, unsigned tag, unsigned long long value)
{
	unsigned w = m->is64 ? 8 : 4;
	put(m, DYNAMIC + 2 * w * i, w, tag);
	put(m, DYNAMIC + 2 * w * i + w, w, value);
}

static void make(struct image *m, bool is64, bool big, unsigned machine)
{
	static const char strings[] = "\0libc.so.6\0libm.so.6\0me.so.1\0$ORIGIN/../lib\0/old";
	*m = (struct image){ .n = STRINGS + sizeof strings, .is64 = is64, .big = big };
	memcpy(m->d, "\177ELF", 4);
	m->d[4] = is64 ? 2 : 1;
	m->d[5] = big ? 2 : 1;
	put(m, 16, 2, ELF_DYN);
	put(m, 18, 2, machine);
	put(m, is64 ? 32 : 28, is64 ? 8 : 4, is64 ? 64 : 52);
	put(m, is64 ? 54 : 42, 2, is64 ? 56 : 32);
	put(m, is64 ? 56 : 44, 2, 3);
	segment(m, 0, 1, 0, m->n);
	segment(m, 1, 3, INTERP, 13);
	segment(m, 2, 2, DYNAMIC, 8 * (is64 ? 16 : 8));
	memcpy(m->d + INTERP, "/p/lib/ld.so", 13);
	memcpy(m->d + STRINGS, strings, sizeof strings);
	dyn(m, 0, 1, 1);
	dyn(m, 1, 1, 11);
	dyn(m, 2, 14, 21);
	dyn(m, 3, 29, 29);
	dyn(m, 4, 15, 44);
	dyn(m, 5, 5, BASE + STRINGS);
	dyn(m, 6, 10, sizeof strings);
}

TEST(elf_reads_both_classes_and_byte_orders)
{
	for (unsigned i = 0; i < 4; i++) {
		struct image m;
		struct elf elf = ELF_INIT;
		struct err e = ERR_INIT;
		make(&m, i & 1, i & 2, 62);
		CHECK(elf_is(m.d, m.n));
		CHECK_OK(elf_read(m.d, m.n, &elf, &e), e);
		CHECK(elf.is64 == (bool)(i & 1) && elf.big == (bool)(i & 2));
		CHECK(elf.type == ELF_DYN && elf.dynamic);
		CHECK_STR(elf.interp, "/p/lib/ld.so");
		CHECK_STR(elf.soname, "me.so.1");
		CHECK_STR(elf.runpath, "$ORIGIN/../lib");
		CHECK_STR(elf.rpath, "/old");
		CHECK(elf.needed.n == 2);
		CHECK_STR(elf.needed.v[0], "libc.so.6");
		CHECK_STR(elf.needed.v[1], "libm.so.6");
		elf_fini(&elf);
	}
}

TEST(elf_reads_itself)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) != 0) {
		test_skip("no /proc/self/exe");
		return;
	}
	void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	struct elf elf = ELF_INIT;
	struct err e = ERR_INIT;
	CHECK_OK(elf_read(p, (size_t)st.st_size, &elf, &e), e);
	CHECK(elf.type == ELF_DYN || elf.type == ELF_EXEC);
	if (elf.dynamic)
		CHECK(elf.interp == NULL || elf.interp[0] == '/');
	elf_fini(&elf);
	munmap(p, (size_t)st.st_size);
	close(fd);
}

static bool refused(const struct image *m, size_t n)
{
	struct elf elf = ELF_INIT;
	struct err e = ERR_INIT;
	bool ok = elf_read(m->d, n, &elf, &e);
	elf_fini(&elf);
	return !ok && e.message[0] != '\0';
}

TEST(elf_cut_anywhere_is_an_error_and_never_read_outside)
{
	struct image m;
	make(&m, true, false, 62);
	for (size_t n = 0; n < m.n; n++) {
		struct image cut = m;
		CHECK(refused(&cut, n));
	}
}

TEST(elf_pointers_outside_are_refused)
{
	struct image m;
	make(&m, true, false, 62);
	put(&m, 32, 8, ~0ULL); /* program headers */
	CHECK(refused(&m, m.n));
	make(&m, true, false, 62);
	put(&m, 54, 2, 8); /* too small a program header */
	CHECK(refused(&m, m.n));
	make(&m, true, false, 62);
	segment(&m, 1, 3, 680, 13); /* interpreter */
	CHECK(refused(&m, m.n));
	make(&m, true, false, 62);
	memset(m.d + INTERP, 'x', 13); /* its NUL is missing */
	CHECK(refused(&m, m.n));
	make(&m, true, false, 62);
	dyn(&m, 0, 1, 4000); /* a string outside the string table */
	CHECK(refused(&m, m.n));
	make(&m, true, false, 62);
	dyn(&m, 5, 5, 0x999999); /* a string table in no segment */
	CHECK(refused(&m, m.n));
}

TEST(elf_without_dynamic_section_or_content_is_fine)
{
	struct image m;
	struct elf elf = ELF_INIT;
	struct err e = ERR_INIT;
	make(&m, true, false, 62);
	segment(&m, 1, 3, INTERP, 0); /* as objcopy --only-keep-debug leaves them */
	segment(&m, 2, 2, 5000, 0);
	CHECK_OK(elf_read(m.d, m.n, &elf, &e), e);
	CHECK(!elf.dynamic && elf.interp == NULL && elf.needed.n == 0);
	elf_fini(&elf);
	make(&m, true, false, 62);
	put(&m, 56, 2, 0);
	CHECK_OK(elf_read(m.d, m.n, &elf, &e), e);
	elf_fini(&elf);
}

TEST(elf_counts_beyond_16_bits_come_from_the_first_section)
{
	struct image m;
	struct elf elf = ELF_INIT;
	struct err e = ERR_INIT;
	make(&m, true, false, 62);
	put(&m, 56, 2, 0xffff);
	put(&m, 40, 8, 500);
	put(&m, 500 + 44, 4, 3);
	CHECK_OK(elf_read(m.d, m.n, &elf, &e), e);
	CHECK(elf.needed.n == 2);
	elf_fini(&elf);
}

TEST(elf_multilib_follows_portage)
{
	static const struct {
		uint16_t machine;
		bool is64;
		uint32_t flags;
		const char *name, *category;
	} cases[] = {
		{ 62, true, 0, "X86_64", "x86_64" },
		{ 62, false, 0, "X86_64", "x86_x32" },
		{ 3, false, 0, "386", "x86_32" },
		{ 183, true, 0, "AARCH64", "arm_64" },
		{ 40, false, 0x5000400, "ARM", "arm_32" },
		{ 21, true, 2, "PPC64", "ppc_64" },
		{ 243, true, 5, "RISCV", "riscv_lp64d" },
		{ 243, true, 1, "RISCV", "riscv_lp64" },
		{ 243, false, 4, "RISCV", "riscv_ilp32d" },
		{ 243, true, 2, "RISCV", NULL },
		{ 258, true, 0x43, "LOONGARCH", "loong_lp64d" },
		{ 258, true, 0, "LOONGARCH", NULL },
		{ 8, false, 0x1000, "MIPS", "mips_o32" },
		{ 8, false, 0x20, "MIPS", "mips_n32" },
		{ 8, true, 0, "MIPS", "mips_n64" },
		{ 8, true, 0xf000, "MIPS", NULL },
		{ 224, true, 0, "AMDGPU", NULL },
		{ 999, true, 0, NULL, NULL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct elf elf = {
			.machine = cases[i].machine, .is64 = cases[i].is64, .flags = cases[i].flags
		};
		const char *name = elf_machine_name(elf.machine), *category = elf_multilib(&elf);
		CHECK_STR(name != NULL ? name : "-", cases[i].name != NULL ? cases[i].name : "-");
		CHECK_STR(category != NULL ? category : "-",
			cases[i].category != NULL ? cases[i].category : "-");
	}
}
