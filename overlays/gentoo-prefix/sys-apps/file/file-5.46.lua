-- Tells what a file is.
return autotools {
	DESCRIPTION = "Identify a file's format by scanning binary data for patterns",
	HOMEPAGE = "https://www.darwinsys.com/file/",
	LICENSE = "BSD-2",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "sys-libs/zlib:=" },
	RDEPEND = { "sys-libs/zlib:=" },
	sources = { any {
		"https://astron.com/pub/file/file-$PV.tar.gz",
		"mirror://debian/pool/main/f/file/file_$PV.orig.tar.gz -> file-$PV.tar.gz",
	} },
	options = { "--disable-static", "--disable-libseccomp", "--disable-bzlib", "--disable-xzlib", "--disable-zstdlib", "--disable-lzlib", "--enable-fsect-man5" },
}
