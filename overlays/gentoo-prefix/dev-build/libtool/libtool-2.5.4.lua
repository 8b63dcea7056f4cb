-- Shared libraries the portable way.
return autotools {
	DESCRIPTION = "A shared library tool for developers",
	HOMEPAGE = "https://www.gnu.org/software/libtool/",
	LICENSE = "GPL-2+",
	SLOT = "2",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "sys-devel/m4", "dev-build/autoconf", "dev-build/automake" },
	RDEPEND = { "sys-devel/m4", "dev-build/autoconf", "dev-build/automake" },
	BDEPEND = { "sys-devel/m4", "dev-build/autoconf", "dev-build/automake" },
	sources = { any {
		"mirror://gnu/libtool/libtool-$PV.tar.xz",
		"mirror://debian/pool/main/libt/libtool/libtool_$PV.orig.tar.xz -> libtool-$PV-debian.tar.xz",
	} },
	options = { "--disable-static" },
}
