-- The pager.
return autotools {
	DESCRIPTION = "Excellent text file viewer",
	HOMEPAGE = "https://www.greenwoodsoftware.com/less/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "sys-libs/ncurses:=" },
	RDEPEND = { "sys-libs/ncurses:=" },
	sources = { any {
		"https://www.greenwoodsoftware.com/less/less-$PV.tar.gz",
		"mirror://debian/pool/main/l/less/less_$PV.orig.tar.gz -> less-$PV.tar.gz",
	} },
	options = { "--with-regex=posix" },
}
