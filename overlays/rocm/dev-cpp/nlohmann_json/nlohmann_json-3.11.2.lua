-- JSON for C++, as headers; the mirror serves them in its package for developers only.
return plain {
	DESCRIPTION = "JSON for Modern C++",
	HOMEPAGE = "https://json.nlohmann.me/",
	LICENSE = "MIT",
	KEYWORDS = "amd64 ~arm64",
	sources = { {
		"mirror://debian/pool/main/n/nlohmann-json3/nlohmann-json3-dev_$PV-2_all.deb -> nlohmann_json-$PV-debian.deb",
		only = { "include/*", "share/cmake/*" },
	} },

	install = function(b)
		b:doins("/usr/include", "$S/include/nlohmann")
		b:doins("/usr/share/cmake", "$S/share/cmake/nlohmann_json")
	end,
}
