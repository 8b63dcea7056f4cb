#ifndef CORE_ELF_H
#define CORE_ELF_H

#include "err.h"
#include "vec.h"

#include <stddef.h>
#include <stdint.h>

enum elf_type { ELF_REL = 1, ELF_EXEC = 2, ELF_DYN = 3, ELF_CORE = 4 };

/*
 * What the dynamic loader will look at in one ELF file. Strings are borrowed from the bytes given
 * to elf_read and live as long as they do. Empty value: ELF_INIT.
 */
struct elf {
	bool is64, big;
	uint16_t type; /* enum elf_type, or another number */
	uint16_t machine; /* EM_… */
	uint32_t flags; /* e_flags: says the ABI on MIPS, RISC-V, LoongArch */
	bool dynamic; /* has a dynamic section */
	const char *interp; /* PT_INTERP, NULL: none */
	const char *soname, *rpath, *runpath; /* DT_…, NULL: none */
	VEC(const char *) needed; /* DT_NEEDED in order */
};

#define ELF_INIT ((struct elf){ 0 })

/* Do the bytes start as an ELF file does? */
bool elf_is(const void *data, size_t n);
/*
 * Read the headers and the dynamic section of an ELF file of either class and byte order (System V
 * gABI ch. 4 and 5). False with "elf.corrupt" when a header points outside the bytes. *elf must be
 * empty; give it to elf_fini in either case.
 */
bool elf_read(const void *data, size_t n, struct elf *elf, struct err *e);
void elf_fini(struct elf *elf);

/* The machine's name without "EM_" as NEEDED.ELF.2 has it ("X86_64", "386"), NULL: unknown. */
const char *elf_machine_name(uint16_t machine);
/*
 * Portage's multilib category ("x86_64", "arm_32", "riscv_lp64d"; its multilib_category.py), as a
 * static string or NULL where Portage has none for it.
 */
const char *elf_multilib(const struct elf *elf);

#endif
