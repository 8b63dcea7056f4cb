-- Fast compression.
return make {
	DESCRIPTION = "zstd fast compression library",
	HOMEPAGE = "https://facebook.github.io/zstd/",
	LICENSE = "BSD GPL-2",
	SLOT = "0/1",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"https://github.com/facebook/zstd/releases/download/v$PV/zstd-$PV.tar.gz",
		"mirror://debian/pool/main/libz/libzstd/libzstd_$PV+dfsg.orig.tar.xz -> zstd-$PV-debian.tar.xz",
	} },

	compile = function(b) b:make { "-C", "lib", "prefix=$EPREFIX/usr", "libdir=$EPREFIX/usr/lib", "CC=$CC", "lib-mt" } b:make { "-C", "programs", "CC=$CC", "HAVE_ZLIB=0", "HAVE_LZMA=0", "HAVE_LZ4=0", "zstd" } end,
	install = function(b)
		b:make { "-C", "lib", "prefix=$EPREFIX/usr", "libdir=$EPREFIX/usr/lib", "CC=$CC", "DESTDIR=$D", "install-pc", "install-includes", "install-shared" }
		b:make { "-C", "programs", "prefix=$EPREFIX/usr", "CC=$CC", "HAVE_ZLIB=0", "HAVE_LZMA=0", "HAVE_LZ4=0", "DESTDIR=$D", "install" }
	end,
}
