-- Applies diffs.
return autotools {
	DESCRIPTION = "Utility to apply diffs to files",
	HOMEPAGE = "https://www.gnu.org/software/patch/patch.html",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"mirror://gnu/patch/patch-$PV.tar.xz",
		"mirror://debian/pool/main/p/patch/patch_$PV.orig.tar.xz -> patch-$PV.tar.xz",
	} },
	options = { "--disable-xattr" },
}
