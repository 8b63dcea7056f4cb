-- toolchain: what every gcc of a standalone prefix needs changed in its source.
local toolchain = {}

-- Programs get the loader and the start files of `prefix`, and libraries live in lib, not lib64.
function toolchain.gcc_source(b, prefix)
	for _, file in ipairs { "gcc/config/i386/linux64.h", "gcc/config/i386/linux.h" } do
		b:edit(file, { pattern = '(GLIBC_DYNAMIC_LINKER%w* ")(/lib)', to = "%1" .. prefix .. "%2" })
	end
	b:edit("gcc/config/aarch64/aarch64-linux.h", { from = '"/lib/ld-linux-aarch64', to = '"' .. prefix .. "/lib/ld-linux-aarch64" })
	b:edit("gcc/config/linux.h", { append = "\n#undef STANDARD_STARTFILE_PREFIX_1\n#undef STANDARD_STARTFILE_PREFIX_2\n"
		.. '#define STANDARD_STARTFILE_PREFIX_1 "' .. prefix .. '/usr/lib/"\n#define STANDARD_STARTFILE_PREFIX_2 ""\n' })
	b:edit("gcc/config/i386/t-linux64", { from = "m64=../lib64", to = "m64=../lib" })
	b:edit("gcc/config/aarch64/t-aarch64-linux", { from = "../lib64", to = "../lib", all = true })
	-- Debian's repack holds one-line manuals, out of which tm.texi cannot be made again.
	if b:read("gcc/doc/tm.texi.in"):len() < 1000 then
		b:edit("gcc/Makefile.in",
			{ drop = "s-tm-texi: $(srcdir)/doc/../doc/tm.texi" },
			{ from = "\ns-tm-texi: build/genhooks$(build_exeext)", to = "\ns-tm-texi:\n\t$(STAMP) s-tm-texi\n\ns-tm-texi-again: build/genhooks$(build_exeext)" })
	end
end

return toolchain
