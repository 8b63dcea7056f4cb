-- Terminal handling, wide characters only.
return autotools {
	DESCRIPTION = "Console display library",
	HOMEPAGE = "https://www.gnu.org/software/ncurses/",
	LICENSE = "MIT",
	SLOT = "0/6",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"https://invisible-island.net/archives/ncurses/current/ncurses-6.5-20250216.tgz",
		"mirror://debian/pool/main/n/ncurses/ncurses_6.5+20250216.orig.tar.gz -> ncurses-6.5-20250216.tgz",
	} },
	options = {
		"--with-shared", "--without-debug", "--without-normal", "--enable-widec", "--without-ada", "--disable-stripping",
		"--without-cxx", "--without-cxx-binding", "--without-manpages", "--without-tests", "--enable-pc-files",
		"--with-pkg-config-libdir=$EPREFIX/usr/lib/pkgconfig", "--enable-overwrite", "--without-gpm", "--disable-root-environ",
		"--with-termlib=no", "--without-libtool",
	 },

	install = function(b, super)
		super(b)
		for _, name in ipairs { "ncurses", "form", "panel", "menu" } do
			b:write("$ED/usr/lib/lib" .. name .. ".so", "INPUT(-l" .. name .. "w)\n")
			b:dosym(name .. "w.pc", "/usr/lib/pkgconfig/" .. name .. ".pc")
		end
		b:write("$ED/usr/lib/libcurses.so", "INPUT(-lncursesw)\n")
		b:write("$ED/usr/lib/libtinfo.so", "INPUT(-lncursesw)\n")
	end,
}
