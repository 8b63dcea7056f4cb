-- The parser generator that glibc needs.
return autotools {
	DESCRIPTION = "A general-purpose (yacc-compatible) parser generator",
	HOMEPAGE = "https://www.gnu.org/software/bison/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	RDEPEND = { "sys-devel/m4" },
	BDEPEND = { "sys-devel/m4" },
	sources = { any {
		"mirror://gnu/bison/bison-$PV.tar.xz",
		"mirror://debian/pool/main/b/bison/bison_$PV+dfsg.orig.tar.xz -> bison-$PV-debian.tar.xz",
	} },
	options = { enable "nls", "--disable-yacc" },

	-- The repack lacks the manual, out of which the examples are extracted: give each its file, older first.
	prepare = function(b, super)
		super(b)
		if b:exists("doc/bison.texi") then
			return
		end
		b:edit("Makefile.in", { from = "examples/extracted.stamp: $(doc) doc/version.texi $(extexi)", to = "examples/extracted.stamp:" })
		b:touch("doc/bison.texi")
		b:touch("doc/bison.info")
		b:mkdir("examples/c/mfcalc", "examples/c/rpcalc", "examples/c++/calc++")
		b:touch("examples/extracted.stamp")
		for _, file in ipairs {
			"c/mfcalc/calc.h", "c/mfcalc/mfcalc.y", "c/rpcalc/rpcalc.y", "c++/calc++/calc++.cc",
			"c++/calc++/driver.cc", "c++/calc++/driver.hh", "c++/calc++/parser.yy",
			"c++/calc++/scanner.ll", "c++/simple.yy",
		} do
			b:touch("examples/" .. file)
		end
	end,
}
