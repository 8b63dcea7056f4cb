-- Makes configure scripts.
return autotools {
	DESCRIPTION = "Used to create autoconfiguration files",
	HOMEPAGE = "https://www.gnu.org/software/autoconf/autoconf.html",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "sys-devel/m4", "dev-lang/perl" },
	RDEPEND = { "sys-devel/m4", "dev-lang/perl" },
	BDEPEND = { "sys-devel/m4", "dev-lang/perl" },
	sources = { any {
		"mirror://gnu/autoconf/autoconf-$PV.tar.xz",
		"mirror://debian/pool/main/a/autoconf/autoconf_$PV.orig.tar.xz -> autoconf-$PV.tar.xz",
	} },
}
