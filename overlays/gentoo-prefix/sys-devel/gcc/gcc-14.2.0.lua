-- The compiler a prefix is built around: native, single ABI, no three-stage bootstrap.
local toolchain = lib "toolchain"

return autotools {
	DESCRIPTION = "The GNU Compiler Collection",
	HOMEPAGE = "https://gcc.gnu.org/",
	LICENSE = "GPL-3+ LGPL-3+ FDL-1.3+",
	SLOT = "14",
	KEYWORDS = "amd64 ~arm64",
	IUSE = "+cxx lto nls +openmp",
	DEPEND = { "sys-libs/zlib:=", "dev-libs/gmp:=", "dev-libs/mpfr:=", "dev-libs/mpc:=", "sys-libs/glibc" },
	RDEPEND = { "sys-libs/zlib:=", "dev-libs/gmp:=", "dev-libs/mpfr:=", "dev-libs/mpc:=", "sys-libs/glibc", "sys-devel/binutils" },
	BDEPEND = { "sys-devel/binutils", "sys-devel/m4" },
	sources = { any {
		"mirror://gnu/gcc/gcc-$PV/gcc-$PV.tar.xz",
		{ "mirror://debian/pool/main/g/gcc-14/gcc-14_$PV.orig.tar.gz -> gcc-$PV-debian.tar.gz", nested = "*/gcc-*.tar.xz" },
	} },
	env = { MAKEINFO = "true" },
	mem = 1500,
	options = {
		"--with-native-system-header-dir=$EPREFIX/usr/include", "--with-local-prefix=$EPREFIX/usr",
		"--with-gmp=$EPREFIX/usr", "--with-mpfr=$EPREFIX/usr", "--with-mpc=$EPREFIX/usr", "--with-system-zlib",
		"--without-isl", "--without-zstd", "--disable-bootstrap", "--disable-multilib", "--disable-werror",
		"--disable-libsanitizer", "--disable-libvtv", "--disable-libcc1", "--disable-libitm", "--disable-libquadmath",
		"--disable-libssp", "--disable-libstdcxx-pch", "--disable-fixincludes",
		csv("--enable-languages", { "c", use.cxx "c++", use.lto "lto" }), enable "lto", enable "nls", enable("libgomp", "openmp"),
		"--enable-default-pie", "--enable-default-ssp", "--enable-shared", "--enable-threads=posix", "--enable-__cxa_atexit",
		"--enable-clocale=gnu", "--enable-checking=release", "--with-pkgversion=eprefix $PVR",
		"CFLAGS_FOR_TARGET=$CFLAGS", "CXXFLAGS_FOR_TARGET=$CXXFLAGS",
	},

	prepare = function(b, super)
		super(b)
		toolchain.gcc_source(b, "$EPREFIX")
	end,
	install = function(b, super)
		super(b)
		b:dosym("gcc", "/usr/bin/cc")
		b:dosym("$CHOST-gcc", "/usr/bin/$CHOST-cc")
		b:dosym("g++", "/usr/bin/c++")
	end,
}
