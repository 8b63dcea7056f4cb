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
	options = function(b)
		return {
			"--without-libgmp", "--with-openssl=no", "--disable-libcap", "--disable-acl", "--disable-xattr", "--without-selinux",
			"--enable-install-program=hostname", "--enable-no-install-program=kill,uptime,su", enable "nls",
			-- Whether root or a user builds must not show: what configure tries as root it takes for a failure.
			b.host.os == "linux" and "gl_cv_func_mknod_works=yes" or nil,
		}
	end,
}
