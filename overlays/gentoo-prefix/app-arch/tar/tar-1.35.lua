-- The archiver.
local dfsg = lib "dfsg"

return autotools {
	DESCRIPTION = "Use this to make tarballs :)",
	HOMEPAGE = "https://www.gnu.org/software/tar/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/tar/tar-$PV.tar.xz",
		"mirror://debian/pool/main/t/tar/tar_$PV+dfsg.orig.tar.xz -> tar-$PV-debian.tar.xz",
	} },
	env = { FORCE_UNSAFE_CONFIGURE = "1" },
	options = { "--without-posix-acls", "--without-selinux", "--without-xattrs", enable "nls" },

	prepare = function(b, super)
		super(b)
		dfsg.doc(b)
	end,
}
