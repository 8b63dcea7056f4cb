#include "elf.h"

#include "bytes.h"

enum {
	EI_CLASS = 4,
	EI_DATA = 5,
	PT_LOAD = 1,
	PT_DYNAMIC = 2,
	PT_INTERP = 3,
	DT_NULL = 0,
	DT_NEEDED = 1,
	DT_STRTAB = 5,
	DT_STRSZ = 10,
	DT_SONAME = 14,
	DT_RPATH = 15,
	DT_RUNPATH = 29,
	PN_XNUM = 0xffff,
};

/* Where the fields of a header lie, by class. */
struct layout {
	unsigned word; /* bytes of an address */
	unsigned phoff, shoff, flags, phentsize, phnum; /* in the file header */
	unsigned ph_size, p_offset, p_vaddr, p_filesz; /* in a program header */
	unsigned sh_info; /* in a section header */
};

static const struct layout layout32 = { 4, 28, 32, 36, 42, 44, 32, 4, 8, 16, 28 };
static const struct layout layout64 = { 8, 32, 40, 48, 54, 56, 56, 8, 16, 32, 44 };

/* One segment: where it is in the file and in memory. */
struct segment {
	uint32_t type;
	uint64_t offset, vaddr, size;
};

struct reader {
	struct bytes b;
	const struct layout *lay;
	uint64_t phoff, phentsize, phnum;
};

bool elf_is(const void *data, size_t n)
{
	return n >= 16 && memcmp(data, "\177ELF", 4) == 0;
}

static uint64_t word(struct reader *r, uint64_t off)
{
	return bytes_uint(&r->b, off, r->lay->word);
}

static struct segment segment_at(struct reader *r, uint64_t i)
{
	uint64_t at = r->phoff + i * r->phentsize;
	return (struct segment){ bytes_u32(&r->b, at), word(r, at + r->lay->p_offset),
		word(r, at + r->lay->p_vaddr), word(r, at + r->lay->p_filesz) };
}

static bool find_segment(struct reader *r, uint32_t type, struct segment *out)
{
	for (uint64_t i = 0; i < r->phnum; i++) {
		*out = segment_at(r, i);
		if (out->type == type)
			return true;
	}
	return false;
}

/* The file offset of an address, and how many bytes of the file follow it in its segment. */
static bool offset_of(struct reader *r, uint64_t vaddr, uint64_t *offset, uint64_t *room)
{
	for (uint64_t i = 0; i < r->phnum; i++) {
		struct segment s = segment_at(r, i);
		if (s.type != PT_LOAD || vaddr < s.vaddr || vaddr - s.vaddr >= s.size)
			continue;
		*offset = s.offset + (vaddr - s.vaddr);
		*room = s.size - (vaddr - s.vaddr);
		return bytes_have(&r->b, *offset, 0);
	}
	return false;
}

/* File header: class, byte order, type, and where the program headers are. */
static bool read_header(struct reader *r, struct elf *elf)
{
	unsigned class = r->b.p[EI_CLASS], data = r->b.p[EI_DATA];
	if (class < 1 || class > 2 || data < 1 || data > 2)
		return false;
	elf->is64 = class == 2;
	elf->big = r->b.big = data == 2;
	r->lay = elf->is64 ? &layout64 : &layout32;
	elf->type = bytes_u16(&r->b, 16);
	elf->machine = bytes_u16(&r->b, 18);
	elf->flags = bytes_u32(&r->b, r->lay->flags);
	r->phoff = word(r, r->lay->phoff);
	r->phentsize = bytes_u16(&r->b, r->lay->phentsize);
	r->phnum = bytes_u16(&r->b, r->lay->phnum);
	/* More segments than 16 bits hold: the number is in the first section header. */
	if (r->phnum == PN_XNUM)
		r->phnum = bytes_u32(&r->b, word(r, r->lay->shoff) + r->lay->sh_info);
	if (r->b.broken)
		return false;
	/* Multiplied in 64 bits: a 32-bit count times a 16-bit size cannot overflow. */
	return r->phnum == 0 || (r->phentsize >= r->lay->ph_size &&
					bytes_have(&r->b, r->phoff, r->phnum * r->phentsize));
}

static bool read_interp(struct reader *r, struct elf *elf)
{
	struct segment s;
	if (!find_segment(r, PT_INTERP, &s) || s.size == 0)
		return true; /* a separate debug file keeps the header without content */
	if (!bytes_have(&r->b, s.offset, s.size))
		return false;
	elf->interp = bytes_str(&r->b, s.offset, s.offset + s.size);
	return elf->interp != NULL;
}

/* The dynamic section's entries: tag and value, until DT_NULL or the segment's end. */
static bool dyn_entry(
	struct reader *r, const struct segment *dyn, uint64_t i, uint64_t *value, uint64_t *tag)
{
	unsigned size = 2 * r->lay->word;
	if (i >= dyn->size / size)
		return false;
	*tag = word(r, dyn->offset + i * size);
	*value = word(r, dyn->offset + i * size + r->lay->word);
	return *tag != DT_NULL;
}

/* File range [*start, *end) of the dynamic string table. */
static bool find_strings(
	struct reader *r, const struct segment *dyn, uint64_t *start, uint64_t *end)
{
	uint64_t tag, value, strtab = 0, strsz = 0, room;
	for (uint64_t i = 0; dyn_entry(r, dyn, i, &value, &tag); i++) {
		if (tag == DT_STRTAB)
			strtab = value;
		else if (tag == DT_STRSZ)
			strsz = value;
	}
	if (strtab == 0 || !offset_of(r, strtab, start, &room))
		return false;
	*end = *start + (strsz != 0 && strsz < room ? strsz : room);
	return *end <= r->b.n;
}

static bool read_dynamic(struct reader *r, struct elf *elf)
{
	struct segment dyn;
	uint64_t tag, value, start, end;
	if (!find_segment(r, PT_DYNAMIC, &dyn) || dyn.size == 0)
		return true;
	if (!bytes_have(&r->b, dyn.offset, dyn.size) || !find_strings(r, &dyn, &start, &end))
		return false;
	elf->dynamic = true;
	for (uint64_t i = 0; dyn_entry(r, &dyn, i, &value, &tag); i++) {
		if (tag != DT_NEEDED && tag != DT_SONAME && tag != DT_RPATH && tag != DT_RUNPATH)
			continue;
		if (value >= end - start)
			return false;
		const char *s = bytes_str(&r->b, start + value, end);
		if (s == NULL)
			return false;
		if (tag == DT_NEEDED)
			vec_push(&elf->needed, s);
		else if (tag == DT_SONAME)
			elf->soname = s;
		else
			*(tag == DT_RPATH ? &elf->rpath : &elf->runpath) = s;
	}
	return true;
}

bool elf_read(const void *data, size_t n, struct elf *elf, struct err *e)
{
	struct reader r = { .b = { .p = data, .n = n } };
	if (!elf_is(data, n))
		return err_set(e, ERR_FAILED, "elf.format", "not an ELF file");
	if (!read_header(&r, elf) || !read_interp(&r, elf) || !read_dynamic(&r, elf) || r.b.broken)
		return err_set(e, ERR_FAILED, "elf.corrupt",
			"the ELF headers are cut short or point outside the file");
	return true;
}

void elf_fini(struct elf *elf)
{
	vec_fini(&elf->needed);
	*elf = ELF_INIT;
}
