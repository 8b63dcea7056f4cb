-- GNU awk; glibc and many configure scripts want this one.
return autotools {
	DESCRIPTION = "GNU awk pattern-matching language",
	HOMEPAGE = "https://www.gnu.org/software/gawk/gawk.html",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "mpfr nls readline",
	DEPEND = { use.mpfr { "dev-libs/mpfr:=", "dev-libs/gmp:=" }, use.readline "sys-libs/readline:=" },
	RDEPEND = { use.mpfr { "dev-libs/mpfr:=", "dev-libs/gmp:=" }, use.readline "sys-libs/readline:=" },
	sources = { any {
		"mirror://gnu/gawk/gawk-$PV.tar.xz",
		"mirror://debian/pool/main/g/gawk/gawk_$PV.orig.tar.xz -> gawk-$PV-debian.tar.xz",
	} },
	options = { with "mpfr", with "readline", enable "nls", "--disable-extensions" },

	-- The repack lacks the manual; awklib's programs are extracted from it.
	compile = function(b) b:make { "SUBDIRS=support ." } end,
	install = function(b)
		b:make { "SUBDIRS=support .", "DESTDIR=$D", "install" }
		if not b:exists("$ED/usr/bin/awk") then
			b:dosym("gawk", "/usr/bin/awk")
		end
	end,
}
