-- GNU m4, the macro processor behind autoconf and bison.
local shell = lib "shell"

return autotools {
	DESCRIPTION = "GNU macro processor",
	HOMEPAGE = "https://www.gnu.org/software/m4/m4.html",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/m4/m4-$PV.tar.xz",
		"mirror://debian/pool/main/m/m4/m4_$PV.orig.tar.xz -> m4-$PV.tar.xz",
	} },
	options = { enable "nls" },

	configure = function(b, super)
		table.insert(b.options_extra, "--with-syscmd-shell=" .. shell.path(b))
		super(b)
	end,
}
