-- makeinfo and info.
return autotools {
	DESCRIPTION = "The GNU info program and utilities",
	HOMEPAGE = "https://www.gnu.org/software/texinfo/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	DEPEND = { "dev-lang/perl", "sys-libs/ncurses:=" },
	RDEPEND = { "dev-lang/perl", "sys-libs/ncurses:=" },
	sources = { any {
		"mirror://gnu/texinfo/texinfo-$PV.tar.xz",
		"mirror://debian/pool/main/t/texinfo/texinfo_$PV.orig.tar.xz -> texinfo-$PV.tar.xz",
	} },
	options = { "--disable-perl-xs", enable "nls" },
}
