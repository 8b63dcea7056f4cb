-- The deflate library everything else needs.
return autotools {
	DESCRIPTION = "Standard (de)compression library",
	HOMEPAGE = "https://zlib.net/",
	LICENSE = "ZLIB",
	SLOT = "0/1",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"https://zlib.net/fossils/zlib-$PV.tar.xz",
		"mirror://debian/pool/main/z/zlib/zlib_1.3.dfsg+really$PV.orig.tar.gz -> zlib-$PV-debian.tar.gz",
	} },

	configure = function(b)
		b:run { "$S/configure", "--prefix=$EPREFIX/usr", "--libdir=$EPREFIX/usr/lib", "--shared" }
	end,
}
