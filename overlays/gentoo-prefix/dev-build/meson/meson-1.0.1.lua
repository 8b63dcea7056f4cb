-- Meson is plain Python: its package goes where Python looks.
return plain {
	DESCRIPTION = "Open source build system",
	HOMEPAGE = "https://mesonbuild.com/",
	LICENSE = "Apache-2.0",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	RDEPEND = { "dev-lang/python", "dev-build/ninja" },
	BDEPEND = { "dev-lang/python" },
	sources = { any {
		"https://github.com/mesonbuild/meson/releases/download/$PV/meson-$PV.tar.gz",
		"mirror://debian/pool/main/m/meson/meson_$PV.orig.tar.gz -> meson-$PV.tar.gz",
	} },

	install = function(b)
		local site = "/usr/lib/python3.13/site-packages"
		b:doins(site, "$S/mesonbuild")
		b:write("$ED/usr/bin/meson", "#!$EPREFIX/usr/bin/python3\nimport sys\nfrom mesonbuild.mesonmain import main\nsys.exit(main())\n", 493)
		b:doman("$S/man/meson.1")
		b:run { "python3", "-m", "compileall", "-q", "-s", "$D", "--invalidation-mode", "unchecked-hash", "$ED" .. site }
	end,
}
