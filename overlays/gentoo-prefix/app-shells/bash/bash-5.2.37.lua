-- The prefix's shell, also as sh.
return autotools {
	DESCRIPTION = "The standard GNU Bourne again shell",
	HOMEPAGE = "https://www.gnu.org/software/bash/bash.html",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	DEPEND = { "sys-libs/ncurses:=", "sys-libs/readline:=" },
	RDEPEND = { "sys-libs/ncurses:=", "sys-libs/readline:=" },
	sources = { any {
		-- The release with its 37 patches in one archive; upstream's own file is 5.2 before them.
		"mirror://debian/pool/main/b/bash/bash_$PV.orig.tar.xz -> bash-$PV-debian.tar.xz",
		"mirror://gnu/bash/bash-5.2.tar.gz",
	} },
	options = { "--without-bash-malloc", "--with-installed-readline", "--with-curses", enable "nls" },

	install = function(b, super)
		super(b)
		b:dosym("bash", "/usr/bin/sh")
	end,
}
