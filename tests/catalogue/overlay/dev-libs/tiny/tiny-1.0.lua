-- A library in the manner of autoconf, built outside its source.
return autotools {
	DESCRIPTION = "A library of one function",
	LICENSE = "0BSD",
	SLOT = "0/1",
	KEYWORDS = "amd64 arm64 arm64-macos x64-macos",
	IUSE = "+polite",
	sources = { "https://tiny.invalid/tiny-$PV.tar.gz" },
	options = { enable "polite" },
}
