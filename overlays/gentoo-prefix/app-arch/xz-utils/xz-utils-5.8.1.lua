-- xz and liblzma.
return autotools {
	DESCRIPTION = "Utils for managing LZMA compressed files",
	HOMEPAGE = "https://tukaani.org/xz/",
	LICENSE = "0BSD LGPL-2.1+ GPL-2+",
	SLOT = "0/5",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"https://github.com/tukaani-project/xz/releases/download/v$PV/xz-$PV.tar.gz",
		"mirror://debian/pool/main/x/xz-utils/xz-utils_$PV.orig.tar.xz -> xz-$PV-debian.tar.xz",
	} },
	options = { "--disable-static", "--disable-doc", enable "nls" },
}
