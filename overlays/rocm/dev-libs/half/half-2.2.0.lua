-- Half-precision numbers, as one header.
return plain {
	DESCRIPTION = "Half-precision floating-point library",
	HOMEPAGE = "https://half.sourceforge.net/",
	LICENSE = "MIT",
	KEYWORDS = "amd64 ~arm64",
	sources = { "mirror://debian/pool/main/h/half/half_$PV.orig.tar.xz -> half-$PV-debian.tar.xz" },

	install = function(b)
		b:doins("/usr/include", "$S/include/half.hpp")
		-- MIOpen 6 looks for it here.
		b:dosym("../half.hpp", "/usr/include/half/half.hpp")
	end,
}
