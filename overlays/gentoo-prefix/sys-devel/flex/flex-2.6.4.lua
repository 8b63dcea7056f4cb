-- The scanner generator.
return autotools {
	DESCRIPTION = "The Fast Lexical Analyzer",
	HOMEPAGE = "https://github.com/westes/flex",
	LICENSE = "FLEX",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	DEPEND = { "sys-devel/m4" },
	RDEPEND = { "sys-devel/m4" },
	BDEPEND = { "sys-devel/m4", "sys-devel/bison" },
	sources = { any {
		"https://github.com/westes/flex/releases/download/v$PV/flex-$PV.tar.gz",
		"mirror://debian/pool/main/f/flex/flex_$PV.orig.tar.gz -> flex-$PV.tar.gz",
	} },
	env = { ac_cv_func_malloc_0_nonnull = "yes", ac_cv_func_realloc_0_nonnull = "yes", CFLAGS = "-O2 -pipe -D_GNU_SOURCE" },
	options = { "--disable-static", "--disable-bootstrap", enable "nls" },

	install = function(b, super)
		super(b)
		b:dosym("flex", "/usr/bin/lex")
	end,
}
