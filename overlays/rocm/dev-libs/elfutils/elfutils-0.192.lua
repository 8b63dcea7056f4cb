-- Reading and writing ELF files.
return autotools {
	DESCRIPTION = "Libraries and utilities to handle ELF objects",
	HOMEPAGE = "https://sourceware.org/elfutils/",
	LICENSE = "GPL-2+ LGPL-3+",
	SLOT = "0/1",
	KEYWORDS = "amd64 ~arm64",
	DEPEND = { "sys-libs/zlib:=", "app-arch/bzip2:=", "app-arch/xz-utils:=", "app-arch/zstd:=" },
	RDEPEND = { "sys-libs/zlib:=", "app-arch/bzip2:=", "app-arch/xz-utils:=", "app-arch/zstd:=" },
	BDEPEND = { "sys-devel/m4", "dev-util/pkgconf" },
	sources = { any {
		"https://sourceware.org/elfutils/ftp/$PV/elfutils-$PV.tar.bz2",
		"mirror://debian/pool/main/e/elfutils/elfutils_$PV.orig.tar.bz2 -> elfutils-$PV.tar.bz2",
	} },
	options = {
		"--disable-werror", "--disable-nls", "--disable-debuginfod", "--disable-libdebuginfod", "--disable-static", "--program-prefix=eu-",
		"--with-zlib", "--with-bzlib", "--with-lzma", "--with-zstd", "--without-biarch",
	},
}
