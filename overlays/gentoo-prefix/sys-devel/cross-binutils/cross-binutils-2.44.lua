-- Assembler and linker for the prefix's C library, run by the host: the first half of a cross toolchain.
return autotools {
	DESCRIPTION = "binutils that run on the host and serve the prefix",
	HOMEPAGE = "https://sourceware.org/binutils/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64",
	sources = { any {
		"mirror://gnu/binutils/binutils-$PV.tar.xz",
		"mirror://debian/pool/main/b/binutils/binutils_$PV.orig.tar.xz -> binutils-$PV-debian.tar.xz",
	} },
	env = { MAKEINFO = "true" },
	options = {
		"--target=$CTARGET", "--with-sysroot=/", "--with-lib-path=$TARGET/usr/lib", "--disable-nls", "--disable-werror",
		"--disable-gprofng", "--disable-multilib", "--enable-new-dtags", "--enable-default-hash-style=gnu", "--disable-plugins",
		"--disable-gold", "--disable-gdb", "--without-zstd", "--without-debuginfod", "--disable-shared",
	},

	compile = function(b) b:make { "MAKEINFO=true" } end,
	install = function(b)
		b:make { "MAKEINFO=true", "DESTDIR=$D", "install" }
		for _, tool in ipairs { "ar", "as", "ld", "nm", "ranlib", "strip", "objcopy", "objdump", "readelf" } do
			b:dosym("$CTARGET-" .. tool, "/usr/bin/$CHOST-" .. tool)
		end
	end,
}
