#include "elf.h"
#include "str.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

/* Any bytes: read without touching anything outside them, and use what was read. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct elf elf = ELF_INIT;
	struct err e = ERR_INIT;
	size_t used = 0;
	if (elf_read(data, n, &elf, &e)) {
		for (size_t i = 0; i < elf.needed.n; i++)
			used += strlen(elf.needed.v[i]);
		used += elf.soname != NULL ? strlen(elf.soname) : 0;
		used += elf.interp != NULL ? strlen(elf.interp) : 0;
		used += elf.runpath != NULL ? strlen(elf.runpath) : 0;
		used += elf_multilib(&elf) != NULL;
		if (used > (elf.needed.n + 4) * (n + 1))
			abort();
	} else if (e.message[0] == '\0') {
		abort();
	}
	elf_fini(&elf);
	return 0;
}
