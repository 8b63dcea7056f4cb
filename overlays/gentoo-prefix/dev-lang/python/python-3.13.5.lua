-- Python with the modules that need libraries, none of the host's.
local shell = lib "shell"

return autotools {
	DESCRIPTION = "An interpreted, interactive, object-oriented programming language",
	HOMEPAGE = "https://www.python.org/",
	LICENSE = "PSF-2",
	SLOT = "3.13",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "+bzip2 +ffi +lzma +ncurses +readline +ssl +zlib",
	DEPEND = {
		use.bzip2 "app-arch/bzip2:=", use.ffi "dev-libs/libffi:=", use.lzma "app-arch/xz-utils:=", use.ncurses "sys-libs/ncurses:=",
		use.readline "sys-libs/readline:=", use.ssl "dev-libs/openssl:=", use.zlib "sys-libs/zlib:=",
	},
	RDEPEND = {
		use.bzip2 "app-arch/bzip2:=", use.ffi "dev-libs/libffi:=", use.lzma "app-arch/xz-utils:=", use.ncurses "sys-libs/ncurses:=",
		use.readline "sys-libs/readline:=", use.ssl "dev-libs/openssl:=", use.zlib "sys-libs/zlib:=",
	},
	BDEPEND = { use.ffi "dev-util/pkgconf", use.ssl "dev-util/pkgconf" },
	sources = { any {
		"https://www.python.org/ftp/python/$PV/Python-$PV.tar.xz",
		"mirror://debian/pool/main/p/python3.13/python3.13_$PV.orig.tar.xz -> Python-$PV.tar.xz",
	} },
	options = {
		"--enable-shared", "--without-ensurepip", "--disable-test-modules", "--with-system-expat=no", "--with-platlibdir=lib",
		"--with-dbmliborder=", "--without-static-libpython", use.ssl "--with-openssl=$EPREFIX/usr",
		use.readline "--with-readline=readline", unless.readline "--without-readline",
		unless.bzip2 "py_cv_module__bz2=n/a", unless.ffi "py_cv_module__ctypes=n/a", unless.lzma "py_cv_module__lzma=n/a",
		unless.ncurses { "py_cv_module__curses=n/a", "py_cv_module__curses_panel=n/a" }, unless.ssl { "py_cv_module__ssl=n/a", "py_cv_module__hashlib=n/a" },
		unless.zlib "py_cv_module_zlib=n/a", "py_cv_module__sqlite3=n/a", "py_cv_module__tkinter=n/a", "py_cv_module__dbm=n/a",
		"py_cv_module__gdbm=n/a", "py_cv_module__uuid=n/a", "py_cv_module_nis=n/a",
	},

	env = { PYTHONHASHSEED = "0" },

	prepare = function(b, super)
		super(b)
		shell.edit(b, "Lib/subprocess.py", "'/bin/sh'")
		-- What a process has compiled before shows in the bytes of its next .pyc: one process, one order, one result.
		-- Edited after they are compiled, modules would not be what their .pyc were made from, and Python would make those anew.
		for _, file in ipairs(b:find("Lib", "*.py")) do
			for _, line in ipairs { "#!/usr/bin/env python", "#! /usr/bin/env python" } do
				if b:read(file):sub(1, #line) == line then
					b:edit(file, { from = "/usr/bin/env python", to = "$EPREFIX/usr/bin/env python" })
				end
			end
		end
		b:edit("Makefile.pre.in", { from = "COMPILEALL_OPTS=-j0", to = "COMPILEALL_OPTS=-j1" })
	end,
	install = function(b, super)
		super(b)
		b:dosym("python3.13", "/usr/bin/python")
	end,
}
