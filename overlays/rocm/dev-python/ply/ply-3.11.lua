-- Lex and yacc, in Python.
return plain {
	DESCRIPTION = "Python Lex-Yacc library",
	HOMEPAGE = "https://www.dabeaz.com/ply/",
	LICENSE = "BSD",
	KEYWORDS = "amd64 ~arm64",
	RDEPEND = { "dev-lang/python" },
	sources = { "mirror://debian/pool/main/p/ply/ply_$PV.orig.tar.gz -> ply-$PV-debian.tar.gz" },

	install = function(b) b:doins("/usr/lib/python3.13/site-packages", "$S/ply") end,
}
