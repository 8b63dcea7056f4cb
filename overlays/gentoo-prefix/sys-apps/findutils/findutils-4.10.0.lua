-- find and xargs.
return autotools {
	DESCRIPTION = "GNU utilities for finding files",
	HOMEPAGE = "https://www.gnu.org/software/findutils/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/findutils/findutils-$PV.tar.xz",
		"mirror://debian/pool/main/f/findutils/findutils_$PV.orig.tar.xz -> findutils-$PV.tar.xz",
	} },
	options = { "--without-selinux", enable "nls" },
}
