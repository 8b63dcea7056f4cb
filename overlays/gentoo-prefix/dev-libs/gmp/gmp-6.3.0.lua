-- Multiple-precision arithmetic, for the compiler.
local dfsg = lib "dfsg"

return autotools {
	DESCRIPTION = "Library for arbitrary-precision arithmetic",
	HOMEPAGE = "https://gmplib.org/",
	LICENSE = "LGPL-3+ GPL-2+",
	SLOT = "0/10.4",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "+cxx",
	BDEPEND = { "sys-devel/m4" },
	sources = { any {
		"https://gmplib.org/download/gmp/gmp-$PV.tar.xz",
		"mirror://debian/pool/main/g/gmp/gmp_$PV+dfsg.orig.tar.xz -> gmp-$PV-debian.tar.xz",
	} },
	options = { "--enable-shared", "--disable-static", enable "cxx" },

	prepare = function(b, super)
		super(b)
		dfsg.doc(b)
	end,
}
