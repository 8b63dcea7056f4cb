-- Scripts with interpreters of the host, a manual page, a protected configuration file, an empty directory.
return plain {
	DESCRIPTION = "Scripts",
	LICENSE = "0BSD",
	KEYWORDS = "amd64 arm64 arm64-macos x64-macos",
	RDEPEND = { "app-misc/hello" },
	sources = { "https://tiny.invalid/scripts-$PV.tar.gz" },

	prepare = function(b, super)
		super(b)
		b:edit("greet.conf", { from = "@PREFIX@", to = "$EPREFIX" })
	end,
	install = function(b)
		b:dobin("$S/greet", "$S/count")
		b:doman("$S/greet.1")
		b:doins("/etc", "$S/greet.conf")
		b:keepdir("/var/lib/greet")
	end,
}
