-- Line editing for shells and interpreters.
return autotools {
	DESCRIPTION = "Another cute console display library",
	HOMEPAGE = "https://tiswww.case.edu/php/chet/readline/rltop.html",
	LICENSE = "GPL-3+",
	SLOT = "0/8",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "sys-libs/ncurses:=" },
	RDEPEND = { "sys-libs/ncurses:=" },
	sources = { any {
		"mirror://gnu/readline/readline-$PV.tar.gz",
		"mirror://debian/pool/main/r/readline/readline_$PV.orig.tar.gz -> readline-$PV.tar.gz",
	} },
	options = { "--disable-static", "--with-curses" },

	compile = function(b) b:make { "SHLIB_LIBS=-lncursesw" } end,
	install = function(b) b:make { "SHLIB_LIBS=-lncursesw", "DESTDIR=$D", "install" } end,
}
