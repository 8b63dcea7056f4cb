-- Complex arithmetic, for the compiler.
return autotools {
	DESCRIPTION = "Library for multiprecision complex arithmetic with exact rounding",
	HOMEPAGE = "https://www.multiprecision.org/mpc/",
	LICENSE = "LGPL-3+",
	SLOT = "0/3",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "dev-libs/gmp:=", "dev-libs/mpfr:=" },
	RDEPEND = { "dev-libs/gmp:=", "dev-libs/mpfr:=" },
	sources = { any {
		"mirror://gnu/mpc/mpc-$PV.tar.gz",
		"mirror://debian/pool/main/m/mpclib3/mpclib3_$PV.orig.tar.gz -> mpc-$PV.tar.gz",
	} },
	options = { "--enable-shared", "--disable-static", "--with-gmp=$EPREFIX/usr", "--with-mpfr=$EPREFIX/usr" },
}
