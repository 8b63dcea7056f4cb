-- The two Boost libraries that ROCm asks for, with the headers.
return cmake {
	DESCRIPTION = "Boost Libraries for C++",
	HOMEPAGE = "https://www.boost.org/",
	LICENSE = "Boost-1.0",
	SLOT = "0/1.83",
	KEYWORDS = "amd64 ~arm64",
	sources = { "mirror://debian/pool/main/b/boost1.83/boost1.83_$PV.orig.tar.xz -> boost-$PV-debian.tar.xz" },
	options = { BOOST_INCLUDE_LIBRARIES = "filesystem;system", BUILD_SHARED_LIBS = true, BUILD_TESTING = false, BOOST_INSTALL_LAYOUT = "system" },
}
