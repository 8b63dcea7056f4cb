-- A database in a file.
return autotools {
	DESCRIPTION = "SQL database engine in a C library",
	HOMEPAGE = "https://sqlite.org/",
	LICENSE = "public-domain",
	SLOT = "3",
	KEYWORDS = "amd64 ~arm64",
	sources = { "mirror://debian/pool/main/s/sqlite3/sqlite3_$PV.orig.tar.xz -> sqlite-$PV-debian.tar.xz" },
	options = { "--disable-static", "--disable-tcl", "--disable-readline" },
}
