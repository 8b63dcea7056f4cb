-- The prefix's skeleton: one directory for programs, one for libraries, whatever name they are asked for by.
return plain {
	DESCRIPTION = "Filesystem skeleton of a prefix",
	HOMEPAGE = "https://wiki.gentoo.org/wiki/Project:Prefix",
	LICENSE = "GPL-2",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	merged_usr = false,

	install = function(b)
		for _, dir in ipairs { "/etc/env.d", "/usr/bin", "/usr/lib", "/usr/include", "/usr/share", "/var/tmp", "/var/log" } do
			b:keepdir(dir)
		end
		b:dosym("usr/bin", "/bin")
		b:dosym("usr/bin", "/sbin")
		b:dosym("bin", "/usr/sbin")
		b:dosym("usr/lib", "/lib")
		b:dosym("usr/lib", "/lib64")
		b:dosym("lib", "/usr/lib64")
		-- ld looks for its ld.so.conf below usr/etc and falls back to the host's when that is missing.
		b:dosym("../etc", "/usr/etc")
		b:write("$ED/etc/env.d/00basic", 'PATH="$EPREFIX/usr/bin"\nMANPATH="$EPREFIX/usr/share/man"\nLDPATH="$EPREFIX/usr/lib"\nCONFIG_PROTECT="$EPREFIX/etc"\nCONFIG_PROTECT_MASK="$EPREFIX/etc/env.d"\n')
	end,
}
