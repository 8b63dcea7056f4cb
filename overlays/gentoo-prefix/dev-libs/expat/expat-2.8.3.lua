-- The XML parser.
return autotools {
	DESCRIPTION = "Stream-oriented XML parser library",
	HOMEPAGE = "https://libexpat.github.io/",
	LICENSE = "MIT",
	SLOT = "0/1",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	BDEPEND = { "dev-build/autoconf", "dev-build/automake", "dev-build/libtool" },
	sources = { any {
		"https://github.com/libexpat/libexpat/releases/download/R_2_8_3/expat-$PV.tar.xz",
		"mirror://debian/pool/main/e/expat/expat_$PV.orig.tar.gz -> expat-$PV-debian.tar.gz",
	} },
	options = { "--disable-static", "--without-docbook", "--without-examples", "--without-tests", "--without-xmlwf" },

	autoreconf = true,

	-- The repack is the whole repository; the release is what it calls expat/.
	unpack = function(b, super)
		super(b)
		if not b:exists("lib/expat.h") then
			b:move("$S/expat", "$T/expat")
			b:remove("$S")
			b:move("$T/expat", "$S")
		end
	end,
}
