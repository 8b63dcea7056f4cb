-- diff and cmp.
return autotools {
	DESCRIPTION = "Tools to make diffs and compare files",
	HOMEPAGE = "https://www.gnu.org/software/diffutils/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/diffutils/diffutils-$PV.tar.xz",
		"mirror://debian/pool/main/d/diffutils/diffutils_$PV.orig.tar.xz -> diffutils-$PV.tar.xz",
	} },
	options = { enable "nls" },
}
