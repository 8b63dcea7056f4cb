-- Correctly rounded floating point, for the compiler.
return autotools {
	DESCRIPTION = "Library for multiple-precision floating-point computations with exact rounding",
	HOMEPAGE = "https://www.mpfr.org/",
	LICENSE = "LGPL-3+",
	SLOT = "0/6",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "dev-libs/gmp:=" },
	RDEPEND = { "dev-libs/gmp:=" },
	sources = { any {
		"https://www.mpfr.org/mpfr-$PV/mpfr-$PV.tar.xz",
		"mirror://debian/pool/main/m/mpfr4/mpfr4_$PV.orig.tar.xz -> mpfr-$PV.tar.xz",
	} },
	options = { "--enable-shared", "--disable-static", "--with-gmp=$EPREFIX/usr" },
}
