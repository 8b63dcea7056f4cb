-- CMake, built by its own bootstrap program over the prefix's libraries.
local shell = lib "shell"

return plain {
	DESCRIPTION = "Cross platform Make",
	HOMEPAGE = "https://cmake.org/",
	LICENSE = "BSD",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "net-misc/curl", "dev-libs/expat:=", "sys-libs/zlib:=", "app-arch/bzip2:=", "app-arch/xz-utils:=", "app-arch/zstd:=" },
	RDEPEND = { "net-misc/curl", "dev-libs/expat:=", "sys-libs/zlib:=", "app-arch/bzip2:=", "app-arch/xz-utils:=", "app-arch/zstd:=" },
	sources = { any {
		"https://cmake.org/files/v4.3/cmake-$PV.tar.gz",
		"mirror://debian/pool/main/c/cmake/cmake_$PV.orig.tar.gz -> cmake-$PV.tar.gz",
	} },
	mem = 700,

	prepare = function(b, super)
		super(b)
		shell.edit(b, "Source/cmLocalUnixMakefileGenerator3.cxx", "/bin/sh")
	end,
	configure = function(b)
		b:run {
			"$S/bootstrap", "--prefix=$EPREFIX/usr", "--datadir=/share/cmake", "--docdir=/share/doc/$PF", "--no-qt-gui",
			"--system-curl", "--system-expat", "--system-zlib", "--system-bzip2", "--system-liblzma", "--system-zstd",
			"--no-system-libarchive", "--no-system-cppdap", "--no-system-jsoncpp", "--no-system-librhash", "--no-system-libuv",
			"--no-system-nghttp2", "--",
			"-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DBUILD_CursesDialog=OFF", "-DCMake_BUILD_DEVELOPER_REFERENCE=OFF",
			"-DCMAKE_PREFIX_PATH=$EPREFIX/usr", "-DCMake_TEST_INSTALL=OFF",
			jobserver = true,
		}
	end,
	compile = function(b) b:make {} end,
	install = function(b) b:make { "DESTDIR=$D", "install" } end,
}
