-- Calls between languages.
return autotools {
	DESCRIPTION = "Portable, high level programming interface to various calling conventions",
	HOMEPAGE = "https://sourceware.org/libffi/",
	LICENSE = "MIT",
	SLOT = "0/8",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	BDEPEND = { "dev-build/autoconf", "dev-build/automake", "dev-build/libtool" },
	sources = { any {
		"https://github.com/libffi/libffi/releases/download/v$PV/libffi-$PV.tar.gz",
		"mirror://debian/pool/main/libf/libffi/libffi_$PV.orig.tar.gz -> libffi-$PV-debian.tar.gz",
	} },
	options = { "--disable-static", "--disable-docs", "--disable-multi-os-directory", "--disable-exec-static-tramp" },

	autoreconf = true,
}
