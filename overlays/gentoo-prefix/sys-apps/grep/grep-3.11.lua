-- The pattern searcher.
return autotools {
	DESCRIPTION = "GNU regular expression matcher",
	HOMEPAGE = "https://www.gnu.org/software/grep/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/grep/grep-$PV.tar.xz",
		"mirror://debian/pool/main/g/grep/grep_$PV.orig.tar.xz -> grep-$PV.tar.xz",
	} },
	options = { "--disable-perl-regexp", enable "nls" },
}
