-- The stream editor.
return autotools {
	DESCRIPTION = "Super-useful stream editor",
	HOMEPAGE = "https://www.gnu.org/software/sed/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/sed/sed-$PV.tar.xz",
		"mirror://debian/pool/main/s/sed/sed_$PV.orig.tar.xz -> sed-$PV.tar.xz",
	} },
	options = { "--disable-acl", "--without-selinux", enable "nls" },
}
