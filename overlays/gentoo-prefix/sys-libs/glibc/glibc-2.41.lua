-- The C library that makes a prefix standalone: its loader, start files and paths are all inside EPREFIX.
local shell = lib "shell"

return autotools {
	DESCRIPTION = "GNU libc C library",
	HOMEPAGE = "https://www.gnu.org/software/libc/",
	LICENSE = "LGPL-2.1+ BSD HPND ISC inner-net rc PCRE",
	SLOT = "2.2",
	KEYWORDS = "amd64 ~arm64",
	DEPEND = { "sys-kernel/linux-headers" },
	RDEPEND = { "sys-apps/baselayout" },
	BDEPEND = { "sys-devel/bison", "sys-apps/gawk", ">=dev-build/make-4.0", "dev-lang/python" },
	sources = { any {
		"mirror://gnu/glibc/glibc-$PV.tar.xz",
		"mirror://debian/pool/main/g/glibc/glibc_$PV.orig.tar.xz -> glibc-$PV-debian.tar.xz",
	} },
	env = { CFLAGS = "-O2 -pipe", CXX = "" },
	options = {
		"--enable-kernel=4.19", "--with-headers=$EPREFIX/usr/include", "--disable-nscd", "--disable-build-nscd",
		"--disable-werror", "--disable-profile", "--without-selinux", "--enable-stack-protector=strong",
		"libc_cv_slibdir=$EPREFIX/usr/lib",
	},

	prepare = function(b, super)
		super(b)
		if not b:exists("manual/Makefile") then
			b:write("manual/Makefile", "subdir := manual\ninclude ../Makeconfig\ninclude ../Rules\n")
		end
		shell.edit(b, "sysdeps/unix/sysv/linux/paths.h", '"/bin/sh"')
		shell.edit(b, "sysdeps/generic/paths.h", '"/bin/sh"')
		shell.edit(b, "sysdeps/posix/system.c", '"/bin/sh"')
		b:edit("elf/rtld.c", { from = '"/etc/ld.so.preload"', to = '"$EPREFIX/etc/ld.so.preload"' })
	end,

	install = function(b, super)
		super(b)
		b:remove("$ED/etc/ld.so.cache", "$ED/usr/share/info")
		-- Its own localedef makes the one locale everybody needs, run by the loader of the image.
		b:run { "gzip", "-dkf", "$ED/usr/share/i18n/charmaps/UTF-8.gz" }
		b:mkdir("$ED/usr/lib/locale")
		b:run {
			"$ED/usr/lib/" .. b.tools.loader, "--library-path", "$ED/usr/lib", "$ED/usr/bin/localedef",
			"--no-archive", "-i", "C", "-f", "$ED/usr/share/i18n/charmaps/UTF-8", "$ED/usr/lib/locale/C.utf8",
			env = { I18NPATH = "$ED/usr/share/i18n" },
		}
		b:remove("$ED/usr/share/i18n/charmaps/UTF-8")
	end,
}
