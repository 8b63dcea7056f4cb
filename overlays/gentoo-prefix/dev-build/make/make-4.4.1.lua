-- GNU make; 4.4 is the first with a jobserver that survives wrappers.
local dfsg, shell = lib "dfsg", lib "shell"

return autotools {
	DESCRIPTION = "Standard tool to compile source trees",
	HOMEPAGE = "https://www.gnu.org/software/make/make.html",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	IUSE = "nls",
	sources = { any {
		"mirror://gnu/make/make-$PV.tar.lz",
		"mirror://debian/pool/main/m/make-dfsg/make-dfsg_$PV.orig.tar.xz -> make-$PV-debian.tar.xz",
	} },
	options = { "--without-guile", enable "nls" },

	prepare = function(b, super)
		super(b)
		if dfsg.doc(b) then
			b:touch("doc/make.1")
		end
		shell.edit(b, "src/job.c", '"/bin/sh"')
	end,

	-- A host without make: the package brings a shell script that needs none.
	compile = function(b, super)
		if b.tools.make_missing then
			b:run { "sh", "./build.sh" }
		else
			super(b)
		end
	end,

	install = function(b, super)
		if b.tools.make_missing then
			b:run { "./make", "install", "DESTDIR=$D" }
		else
			super(b)
		end
		b:dosym("make", "/usr/bin/gmake")
	end,
}
