-- A program with nothing but a makefile, linked with the library before it.
return make {
	DESCRIPTION = "A friendly program",
	LICENSE = "0BSD",
	KEYWORDS = "amd64 arm64 arm64-macos x64-macos",
	DEPEND = { "dev-libs/tiny:=" },
	RDEPEND = { "dev-libs/tiny:=" },
	sources = { any {
		"https://tiny.invalid/hello-$PV.tar.xz",
		"https://tiny.invalid/hello-$PV.tar.gz",
	} },
	make_args = { "TINY=$EPREFIX/usr" },
}
