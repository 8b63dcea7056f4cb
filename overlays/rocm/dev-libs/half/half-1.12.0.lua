-- Half-precision numbers, as one header.
return plain {
	DESCRIPTION = "Half-precision floating-point library",
	HOMEPAGE = "https://half.sourceforge.net/",
	LICENSE = "MIT",
	KEYWORDS = "amd64 ~arm64",
	sources = { { "https://downloads.sourceforge.net/project/half/half/$PV/half-$PV.zip", strip = 0 } },

	install = function(b) b:doins("/usr/include", "$S/include/half.hpp") end,
}
