-- gzip and its scripts.
return autotools {
	DESCRIPTION = "Standard GNU compressor",
	HOMEPAGE = "https://www.gnu.org/software/gzip/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"mirror://gnu/gzip/gzip-$PV.tar.xz",
		"mirror://debian/pool/main/g/gzip/gzip_$PV.orig.tar.xz -> gzip-$PV.tar.xz",
	} },
}
