-- Hard links, a symlink that leads nowhere, one to a directory, names with blanks.
return plain {
	DESCRIPTION = "Links of every kind",
	LICENSE = "0BSD",
	KEYWORDS = "amd64 arm64 arm64-macos x64-macos",
	sources = { "https://tiny.invalid/links-$PV.tar.gz" },

	install = function(b)
		b:run { "sh", "$S/install.sh", "$ED" }
		b:dosym("nowhere", "/usr/share/links/dangling")
		b:dosym("links", "/usr/share/chain")
	end,
}
