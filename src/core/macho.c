#include "macho.h"

#include "bytes.h"

enum {
	LC_LOAD_DYLIB = 0xc,
	LC_ID_DYLIB = 0xd,
	LC_LOAD_DYLINKER = 0xe,
	/* The following three have LC_REQ_DYLD set in files; the bit is masked off here. */
	LC_LOAD_WEAK_DYLIB = 0x18,
	LC_RPATH = 0x1c,
	LC_REEXPORT_DYLIB = 0x1f,
	LC_LAZY_LOAD_DYLIB = 0x20,
	LC_LOAD_UPWARD_DYLIB = 0x23,
	/* A fat file has few slices; a Java class has its version, 45 or more, in that place. */
	MAX_SLICES = 44,
};

#define MAGIC_32 0xfeedfaceu
#define MAGIC_64 0xfeedfacfu
#define MAGIC_32_SWAPPED 0xcefaedfeu
#define MAGIC_64_SWAPPED 0xcffaedfeu
#define MAGIC_FAT 0xcafebabeu
#define MAGIC_FAT_64 0xcafebabfu
#define LC_REQ_DYLD 0x80000000u
#define SUBTYPE_CAPABILITIES 0xff000000u

static uint32_t magic_of(const void *data, size_t n)
{
	struct bytes b = { .p = data, .n = n, .big = true };
	return bytes_u32(&b, 0);
}

static bool is_thin(uint32_t magic)
{
	return magic == MAGIC_32 || magic == MAGIC_64 || magic == MAGIC_32_SWAPPED ||
	       magic == MAGIC_64_SWAPPED;
}

static bool is_fat(const void *data, size_t n)
{
	struct bytes b = { .p = data, .n = n, .big = true };
	uint32_t magic = bytes_u32(&b, 0), count = bytes_u32(&b, 4);
	return (magic == MAGIC_FAT || magic == MAGIC_FAT_64) && count >= 1 && count <= MAX_SLICES &&
	       !b.broken;
}

bool macho_is(const void *data, size_t n)
{
	return is_thin(magic_of(data, n)) || is_fat(data, n);
}

/* Every command looked at holds one string; its offset from the command is the third word. */
static bool command(struct bytes *b, uint64_t at, uint32_t size, struct macho_slice *s)
{
	uint32_t cmd = bytes_u32(b, at) & ~LC_REQ_DYLD;
	if (cmd != LC_LOAD_DYLIB && cmd != LC_ID_DYLIB && cmd != LC_LOAD_DYLINKER &&
		cmd != LC_LOAD_WEAK_DYLIB && cmd != LC_RPATH && cmd != LC_REEXPORT_DYLIB &&
		cmd != LC_LAZY_LOAD_DYLIB && cmd != LC_LOAD_UPWARD_DYLIB)
		return true;
	const char *name = bytes_str(b, at + bytes_u32(b, at + 8), at + size);
	if (name == NULL)
		return false;
	if (cmd == LC_ID_DYLIB)
		s->id = name;
	else if (cmd == LC_LOAD_DYLINKER)
		s->dylinker = name;
	else if (cmd == LC_RPATH)
		vec_push(&s->rpaths, name);
	else
		vec_push(&s->needed, name);
	return true;
}

static bool read_slice(const unsigned char *p, size_t n, struct macho_slice *s)
{
	struct bytes b = { .p = p, .n = n };
	uint32_t magic = magic_of(p, n);
	b.big = magic == MAGIC_32 || magic == MAGIC_64;
	s->is64 = magic == MAGIC_64 || magic == MAGIC_64_SWAPPED;
	s->cpu = bytes_u32(&b, 4);
	s->subtype = bytes_u32(&b, 8) & ~SUBTYPE_CAPABILITIES;
	s->filetype = bytes_u32(&b, 12);
	uint32_t count = bytes_u32(&b, 16), total = bytes_u32(&b, 20);
	uint64_t at = s->is64 ? 32 : 28, end = at + total;
	if (!bytes_have(&b, 0, end))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t size = bytes_u32(&b, at + 4);
		if (size < 8 || size > end - at || !command(&b, at, size, s))
			return false;
		at += size;
	}
	return !b.broken;
}

static bool read_fat(const unsigned char *p, size_t n, struct macho *m)
{
	struct bytes b = { .p = p, .n = n, .big = true };
	bool wide = bytes_u32(&b, 0) == MAGIC_FAT_64;
	uint32_t count = bytes_u32(&b, 4);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t at = 8 + (uint64_t)i * (wide ? 32 : 20);
		uint64_t offset = wide ? bytes_u64(&b, at + 8) : bytes_u32(&b, at + 8);
		uint64_t size = wide ? bytes_u64(&b, at + 16) : bytes_u32(&b, at + 12);
		if (b.broken || !bytes_have(&b, offset, size))
			return false;
		/* A universal static library is an ar archive per architecture. */
		if (!is_thin(magic_of(p + offset, size)))
			continue;
		vec_push(&m->slices, (struct macho_slice){ 0 });
		if (!read_slice(p + offset, size, &m->slices.v[m->slices.n - 1]))
			return false;
	}
	return true;
}

bool macho_read(const void *data, size_t n, struct macho *m, struct err *e)
{
	bool ok;
	if (!macho_is(data, n))
		return err_set(e, ERR_FAILED, "macho.format", "not a Mach-O file");
	if (is_fat(data, n)) {
		ok = read_fat(data, n, m);
	} else {
		vec_push(&m->slices, (struct macho_slice){ 0 });
		ok = read_slice(data, n, &m->slices.v[0]);
	}
	return ok || err_set(e, ERR_FAILED, "macho.corrupt",
			     "the Mach-O load commands are cut short or point outside the file");
}

void macho_fini(struct macho *m)
{
	for (size_t i = 0; i < m->slices.n; i++) {
		vec_fini(&m->slices.v[i].needed);
		vec_fini(&m->slices.v[i].rpaths);
	}
	vec_fini(&m->slices);
}

const char *macho_arch(const struct macho_slice *slice)
{
	static const struct {
		uint32_t cpu;
		const char *name;
	} archs[] = {
		{ 7, "i386" },
		{ 0x01000007, "x86_64" },
		{ 12, "arm" },
		{ 0x0100000c, "arm64" },
		{ 18, "ppc" },
		{ 0x01000012, "ppc64" },
	};
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (archs[i].cpu == slice->cpu)
			return archs[i].name;
	return NULL;
}
