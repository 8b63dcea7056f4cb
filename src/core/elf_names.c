#include "elf.h"

/* Machine numbers of the gABI that a Linux user space runs on, and the AMD GPU's. */
enum {
	EM_SPARC = 2,
	EM_386 = 3,
	EM_68K = 4,
	EM_MIPS = 8,
	EM_PARISC = 15,
	EM_SPARC32PLUS = 18,
	EM_PPC = 20,
	EM_PPC64 = 21,
	EM_S390 = 22,
	EM_ARM = 40,
	EM_SH = 42,
	EM_SPARCV9 = 43,
	EM_IA_64 = 50,
	EM_X86_64 = 62,
	EM_ALTERA_NIOS2 = 113,
	EM_AARCH64 = 183,
	EM_AMDGPU = 224,
	EM_RISCV = 243,
	EM_BPF = 247,
	EM_LOONGARCH = 258,
	EM_ALPHA = 0x9026,
};

/* Categories are NULL where the class alone does not decide, or Portage knows none. */
static const struct machine {
	uint16_t number;
	const char *name, *category32, *category64;
} machines[] = {
	{ EM_SPARC, "SPARC", "sparc_32", "sparc_64" },
	{ EM_386, "386", "x86_32", "x86_64" },
	{ EM_68K, "68K", "m68k_32", "m68k_64" },
	{ EM_MIPS, "MIPS", NULL, NULL },
	{ EM_PARISC, "PARISC", "hppa_32", "hppa_64" },
	{ EM_SPARC32PLUS, "SPARC32PLUS", "sparc_32", "sparc_64" },
	{ EM_PPC, "PPC", "ppc_32", "ppc_64" },
	{ EM_PPC64, "PPC64", "ppc_32", "ppc_64" },
	{ EM_S390, "S390", "s390_32", "s390_64" },
	{ EM_ARM, "ARM", "arm_32", "arm_64" },
	{ EM_SH, "SH", "sh_32", "sh_64" },
	{ EM_SPARCV9, "SPARCV9", "sparc_32", "sparc_64" },
	{ EM_IA_64, "IA_64", "ia64_32", "ia64_64" },
	{ EM_X86_64, "X86_64", "x86_x32", "x86_64" },
	{ EM_ALTERA_NIOS2, "ALTERA_NIOS2", "nios2_32", "nios2_64" },
	{ EM_AARCH64, "AARCH64", "arm_32", "arm_64" },
	{ EM_AMDGPU, "AMDGPU", NULL, NULL },
	{ EM_RISCV, "RISCV", NULL, NULL },
	{ EM_BPF, "BPF", NULL, NULL },
	{ EM_LOONGARCH, "LOONGARCH", NULL, NULL },
	{ EM_ALPHA, "ALPHA", "alpha_32", "alpha_64" },
};

static const struct machine *machine_of(uint16_t number)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

const char *elf_machine_name(uint16_t machine)
{
	const struct machine *m = machine_of(machine);
	return m != NULL ? m->name : NULL;
}

/* EF_MIPS_ABI is a four-bit field (o32, o64, eabi32, eabi64), EF_MIPS_ABI2 the n32 bit. */
static const char *mips_category(const struct elf *elf)
{
	switch (elf->flags >> 12 & 0xf) {
	case 0:
		break;
	case 1:
		return "mips_o32";
	case 2:
		return "mips_o64";
	case 3:
		return "mips_eabi32";
	case 4:
		return "mips_eabi64";
	default:
		return NULL;
	}
	if ((elf->flags & 0x20) != 0)
		return "mips_n32";
	return elf->is64 ? "mips_n64" : NULL;
}

/* EF_RISCV_FLOAT_ABI: 0 soft, 2 single, 4 double; Portage names the first and the last. */
static const char *riscv_category(const struct elf *elf)
{
	switch (elf->flags & 0x6) {
	case 0:
		return elf->is64 ? "riscv_lp64" : "riscv_ilp32";
	case 4:
		return elf->is64 ? "riscv_lp64d" : "riscv_ilp32d";
	default:
		return NULL;
	}
}

/* EF_LOONGARCH_ABI_MODIFIER: 1 soft, 2 single, 3 double float. */
static const char *loong_category(const struct elf *elf)
{
	static const char *const names[2][3] = {
		{ "loong_ilp32s", "loong_ilp32f", "loong_ilp32d" },
		{ "loong_lp64s", "loong_lp64f", "loong_lp64d" },
	};
	unsigned modifier = elf->flags & 0x7;
	return modifier >= 1 && modifier <= 3 ? names[elf->is64][modifier - 1] : NULL;
}

const char *elf_multilib(const struct elf *elf)
{
	const struct machine *m = machine_of(elf->machine);
	if (m == NULL)
		return NULL;
	switch (m->number) {
	case EM_MIPS:
		return mips_category(elf);
	case EM_RISCV:
		return riscv_category(elf);
	case EM_LOONGARCH:
		return loong_category(elf);
	default:
		return elf->is64 ? m->category64 : m->category32;
	}
}
