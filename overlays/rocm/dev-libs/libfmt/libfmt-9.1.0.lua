-- Formatting of text for C++, as headers: what ROCm asks for. The source archive is not served by the mirror, whose package for
-- developers holds the headers as they are; the library in it is left alone.
local CONFIG = [[
add_library(fmt::fmt-header-only INTERFACE IMPORTED)
set_target_properties(fmt::fmt-header-only PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$EPREFIX/usr/include"
	INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1 INTERFACE_COMPILE_FEATURES cxx_std_11)
]]

return plain {
	DESCRIPTION = "Small, safe and fast formatting library",
	HOMEPAGE = "https://fmt.dev/",
	LICENSE = "MIT",
	SLOT = "0/9",
	KEYWORDS = "amd64 ~arm64",
	sources = { { "mirror://debian/pool/main/f/fmtlib/libfmt-dev_$PV+ds1-2_amd64.deb -> libfmt-$PV-debian.deb", only = { "include/*" } } },

	install = function(b)
		b:doins("/usr/include", "$S/include/fmt")
		b:dodir "/usr/lib/cmake/fmt"
		b:write("$ED/usr/lib/cmake/fmt/fmt-config.cmake", CONFIG)
	end,
}
