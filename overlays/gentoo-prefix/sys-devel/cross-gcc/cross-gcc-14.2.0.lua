-- gcc pass 1: runs on the host, knows no C library yet, compiles the prefix's. For hosts whose own gcc is too old
-- (or another compiler altogether) to be retargeted.
local toolchain, dfsg = lib "toolchain", lib "dfsg"

return autotools {
	DESCRIPTION = "A compiler that runs on the host and serves the prefix",
	HOMEPAGE = "https://gcc.gnu.org/",
	LICENSE = "GPL-3+ LGPL-3+",
	KEYWORDS = "amd64 ~arm64",
	RESTRICT = "strip",
	BDEPEND = { "sys-devel/m4" },
	DEPEND = { "sys-devel/cross-binutils" },
	sources = {
		any {
			"mirror://gnu/gcc/gcc-$PV/gcc-$PV.tar.xz",
			{ "mirror://debian/pool/main/g/gcc-14/gcc-14_$PV.orig.tar.gz -> gcc-$PV-debian.tar.gz", nested = "*/gcc-*.tar.xz" },
		},
		any {
			{ "https://gmplib.org/download/gmp/gmp-6.3.0.tar.xz", into = "gmp" },
			{ "mirror://debian/pool/main/g/gmp/gmp_6.3.0+dfsg.orig.tar.xz -> gmp-6.3.0-debian.tar.xz", into = "gmp" },
		},
		any {
			{ "https://www.mpfr.org/mpfr-4.2.2/mpfr-4.2.2.tar.xz", into = "mpfr" },
			{ "mirror://debian/pool/main/m/mpfr4/mpfr4_4.2.2.orig.tar.xz -> mpfr-4.2.2.tar.xz", into = "mpfr" },
		},
		any {
			{ "mirror://gnu/mpc/mpc-1.3.1.tar.gz", into = "mpc" },
			{ "mirror://debian/pool/main/m/mpclib3/mpclib3_1.3.1.orig.tar.gz -> mpc-1.3.1.tar.gz", into = "mpc" },
		},
	},
	env = { MAKEINFO = "true", CFLAGS = "-O1 -pipe", CXXFLAGS = "-O1 -pipe" },
	mem = 1500,
	-- A sysroot of / is what makes a cross gcc honour --with-native-system-header-dir.
	options = {
		"--target=$CTARGET", "--with-sysroot=/", "--with-native-system-header-dir=$TARGET/usr/include", "--with-local-prefix=$TARGET/usr",
		"--with-glibc-version=2.41", "--without-headers", "--with-newlib", "--disable-nls", "--disable-shared", "--disable-multilib",
		"--disable-threads", "--disable-libatomic", "--disable-libgomp", "--disable-libquadmath", "--disable-libssp", "--disable-libvtv",
		"--disable-libstdcxx", "--disable-lto", "--disable-bootstrap", "--disable-decimal-float", "--disable-libsanitizer",
		"--disable-fixincludes", "--enable-languages=c,c++", "--enable-default-pie", "--enable-default-ssp", "--without-zstd", "--without-isl",
	},

	prepare = function(b, super)
		super(b)
		dfsg.doc(b, "gmp/doc")
		toolchain.gcc_source(b, "$TARGET")
	end,
	install = function(b, super)
		super(b)
		-- Without a libc at hand gcc's limits.h stops short of including the library's.
		local internal = "$ED/usr/lib/gcc/$CTARGET/$PV/include"
		b:write(internal .. "/limits.h", b:read "$S/gcc/limitx.h" .. b:read "$S/gcc/glimits.h" .. b:read "$S/gcc/limity.h")
		for link, name in pairs { ["$CHOST-gcc"] = "gcc", ["$CHOST-cc"] = "gcc", ["$CHOST-g++"] = "g++", ["$CHOST-c++"] = "g++" } do
			b:dosym("$CTARGET-" .. name, "/usr/bin/" .. link)
		end
	end,
}
