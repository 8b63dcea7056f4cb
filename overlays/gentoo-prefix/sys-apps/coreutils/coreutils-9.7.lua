-- ls, cp, sort and their kin.
return autotools {
	DESCRIPTION = "Standard GNU utilities (chmod, cp, dd, ls, sort, tr, head, wc, who, …)",
	HOMEPAGE = "https://www.gnu.org/software/coreutils/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/coreutils/coreutils-$PV.tar.xz",
		"mirror://debian/pool/main/c/coreutils/coreutils_$PV.orig.tar.xz -> coreutils-$PV.tar.xz",
	} },
	env = { FORCE_UNSAFE_CONFIGURE = "1" },
	options = { "--without-libgmp", "--with-openssl=no", "--disable-libcap", "--disable-acl", "--disable-xattr", "--without-selinux", "--enable-install-program=hostname", "--enable-no-install-program=kill,uptime,su", enable "nls" },
}
