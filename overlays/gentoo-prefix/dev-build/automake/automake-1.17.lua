-- Makes Makefile.in files.
return autotools {
	DESCRIPTION = "Used to generate Makefile.in from Makefile.am",
	HOMEPAGE = "https://www.gnu.org/software/automake/",
	LICENSE = "GPL-2+ FSFAP",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "dev-lang/perl", "dev-build/autoconf" },
	RDEPEND = { "dev-lang/perl", "dev-build/autoconf" },
	BDEPEND = { "dev-lang/perl", "dev-build/autoconf" },
	sources = { any {
		"mirror://gnu/automake/automake-$PV.tar.xz",
		"mirror://debian/pool/main/a/automake-1.17/automake-1.17_$PV.orig.tar.xz -> automake-$PV.tar.xz",
	} },
}
