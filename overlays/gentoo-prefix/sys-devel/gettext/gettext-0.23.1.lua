-- Message catalogues and their tools.
return autotools {
	DESCRIPTION = "GNU locale utilities",
	HOMEPAGE = "https://www.gnu.org/software/gettext/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "+cxx",
	DEPEND = { "sys-libs/ncurses:=" },
	RDEPEND = { "sys-libs/ncurses:=" },
	sources = { any {
		"mirror://gnu/gettext/gettext-$PV.tar.xz",
		"mirror://debian/pool/main/g/gettext/gettext_$PV.orig.tar.xz -> gettext-$PV.tar.xz",
	} },
	options = {
		"--disable-java", "--disable-csharp", "--disable-static", "--without-emacs", "--without-git", "--without-cvs",
		"--disable-openmp", "--with-included-libxml", "--with-included-libunistring", "--with-included-gettext", "--disable-nls",
		"--without-libsmack", "--disable-acl", "--without-selinux", enable("c++", "cxx"),
	 },
}
