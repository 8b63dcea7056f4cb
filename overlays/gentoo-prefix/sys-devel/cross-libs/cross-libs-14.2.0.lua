-- A static libstdc++ for gcc pass 1, against the prefix's new C library: what the final gcc's own C++ links.
return autotools {
	DESCRIPTION = "C++ library of the first compiler",
	HOMEPAGE = "https://gcc.gnu.org/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64",
	sources = { any {
		"mirror://gnu/gcc/gcc-$PV/gcc-$PV.tar.xz",
		{ "mirror://debian/pool/main/g/gcc-14/gcc-14_$PV.orig.tar.gz -> gcc-$PV-debian.tar.gz", nested = "*/gcc-*.tar.xz" },
	} },

	configure = function(b)
		b:run {
			"$S/libstdc++-v3/configure", "--prefix=$EPREFIX/usr/$CTARGET", "--host=$CTARGET", "--build=$CBUILD", "--disable-multilib", "--disable-nls",
			"--disable-shared", "--with-pic", "--disable-libstdcxx-pch", "--with-gxx-include-dir=$EPREFIX/usr/$CTARGET/include/c++/$PV",
		}
	end,
}
