-- What a C++ header declares, as Python data.
return plain {
	DESCRIPTION = "Parse C++ header files and generate a data structure",
	HOMEPAGE = "http://senexcanis.com/open-source/cppheaderparser/",
	LICENSE = "BSD",
	KEYWORDS = "~amd64",
	RDEPEND = { "dev-lang/python", "dev-python/ply" },
	sources = { "mirror://pypi/C/CppHeaderParser/CppHeaderParser-$PV.tar.gz" },

	install = function(b) b:doins("/usr/lib/python3.13/site-packages", "$S/CppHeaderParser") end,
}
