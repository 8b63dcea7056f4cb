-- pkg-config, answering for the prefix only.
return autotools {
	DESCRIPTION = "pkg-config compatible replacement with no dependencies other than C99",
	HOMEPAGE = "http://pkgconf.org/",
	LICENSE = "ISC",
	SLOT = "0/3",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"https://distfiles.ariadne.space/pkgconf/pkgconf-$PV.tar.xz",
		"mirror://debian/pool/main/p/pkgconf/pkgconf_$PV.orig.tar.xz -> pkgconf-$PV.tar.xz",
	} },
	options = { "--disable-static", "--with-pkg-config-dir=$EPREFIX/usr/lib/pkgconfig:$EPREFIX/usr/share/pkgconfig", "--with-system-libdir=$EPREFIX/usr/lib", "--with-system-includedir=$EPREFIX/usr/include" },

	install = function(b, super)
		super(b)
		b:dosym("pkgconf", "/usr/bin/pkg-config")
	end,
}
