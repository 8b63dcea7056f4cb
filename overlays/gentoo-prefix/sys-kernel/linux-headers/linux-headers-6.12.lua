-- The kernel's interface for the C library: all that a standalone prefix takes from the kernel tree.
return plain {
	DESCRIPTION = "Linux system headers",
	HOMEPAGE = "https://www.kernel.org/",
	LICENSE = "GPL-2",
	KEYWORDS = "amd64 ~arm64",
	RESTRICT = "strip",
	sources = { any {
		{ "mirror://kernel/linux/kernel/v6.x/linux-$PV.tar.xz", except = { "drivers/*", "fs/*", "sound/*", "Documentation/*" } },
		{
			"mirror://debian/pool/main/l/linux/linux_$PV.107.orig.tar.xz -> linux-$PV.107-debian.tar.xz",
			except = { "drivers/*", "fs/*", "sound/*", "Documentation/*" },
		},
	} },

	-- "headers" needs no rsync, unlike "headers_install".
	compile = function(b)
		local arch = ({ amd64 = "x86", arm64 = "arm64" })[b.host.arch] or b:die("no kernel architecture for " .. b.host.arch)
		b:make { "-C", "$S", "O=$BUILD", "ARCH=" .. arch, "HOSTCC=$BUILD_CC", "headers" }
	end,
	install = function(b)
		b:doins("/usr/include", "$BUILD/usr/include/*")
		for _, file in ipairs(b:find("$ED/usr/include", { "*.cmd", ".*", "Makefile" })) do
			b:remove(file)
		end
	end,
}
