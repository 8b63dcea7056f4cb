-- Which memory is near which processor.
return autotools {
	DESCRIPTION = "Utilities and libraries for NUMA systems",
	HOMEPAGE = "https://github.com/numactl/numactl",
	LICENSE = "GPL-2 LGPL-2.1",
	KEYWORDS = "amd64 ~arm64",
	BDEPEND = { "dev-build/autoconf", "dev-build/automake", "dev-build/libtool" },
	sources = { any {
		"https://github.com/numactl/numactl/releases/download/v$PV/numactl-$PV.tar.gz",
		"mirror://debian/pool/main/n/numactl/numactl_$PV.orig.tar.gz -> numactl-$PV-debian.tar.gz",
	} },
	autoreconf = true,
	options = { "--disable-static" },

	prepare = function(b, super)
		-- Debian's archive has the script without what it needs.
		if not b:exists "Makefile.in" then
			b:remove "configure"
		end
		super(b)
	end,
}
