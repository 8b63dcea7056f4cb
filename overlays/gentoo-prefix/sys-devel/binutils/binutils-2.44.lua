-- Assembler and linker; search paths hold only the prefix.
return autotools {
	DESCRIPTION = "Tools necessary to build programs",
	HOMEPAGE = "https://sourceware.org/binutils/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	DEPEND = { "sys-libs/zlib:=" },
	RDEPEND = { "sys-libs/zlib:=" },
	sources = { any {
		"mirror://gnu/binutils/binutils-$PV.tar.xz",
		"mirror://debian/pool/main/b/binutils/binutils_$PV.orig.tar.xz -> binutils-$PV-debian.tar.xz",
	} },
	env = { MAKEINFO = "true" },
	options = {
		"--with-lib-path=$EPREFIX/usr/lib", enable "nls", "--disable-werror", "--disable-gprofng", "--disable-multilib",
		"--enable-new-dtags", "--enable-default-hash-style=gnu", "--enable-plugins", "--disable-gold", "--disable-gdb",
		"--enable-deterministic-archives", "--with-system-zlib", "--without-zstd", "--without-debuginfod", "--without-msgpack",
		"--enable-shared", "--disable-jansson",
	 },

	-- The release brings generated parsers but not its manuals; the environment's MAKEINFO loses to configure's check.
	compile = function(b) b:make { "MAKEINFO=true" } end,
	install = function(b)
		b:make { "MAKEINFO=true", "DESTDIR=$D", "install" }
		for _, path in ipairs(b:glob "$ED/usr/bin/*") do
			local tool = path:match "[^/]+$"
			b:dosym(tool, "/usr/bin/$CHOST-" .. tool)
		end
	end,
}
