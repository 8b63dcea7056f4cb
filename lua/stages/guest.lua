-- guest: a prefix on the host's own C library and compiler (macOS; Linux with --libc=host).
return function(host, opt)
	local prefix, tmp = "$EPREFIX", "$EPREFIX/tmp"
	local darwin = host.os == "darwin"
	local function tools(path, shell)
		local list = { table.unpack(path) }
		table.move(host.path, 1, #host.path, #list + 1, list)
		return {
			path = list, CHOST = host.chost, CBUILD = host.chost, loader = host.loader,
			CC = host.cc, CXX = host.cxx, BUILD_CC = host.cc, AR = "ar", AS = "as", LD = "ld", NM = "nm", RANLIB = "ranlib", STRIP = "strip",
			OBJCOPY = "objcopy", OBJDUMP = "objdump", READELF = "readelf", CFLAGS = "-O2 -pipe", CXXFLAGS = "-O2 -pipe",
			CPPFLAGS = "-I" .. prefix .. "/usr/include",
			LDFLAGS = "-L" .. prefix .. "/usr/lib" .. (darwin and "" or " -Wl,-rpath," .. prefix .. "/usr/lib"),
			CONFIG_SHELL = shell, env = { MAKEINFO = "true", SDKROOT = host.sdk },
		}
	end
	local own = tools({ prefix .. "/usr/bin", tmp .. "/usr/bin" }, "/bin/sh")
	own.shebangs, own.leaks, own.guest = true, true, true

	local stage1 = tools({ tmp .. "/usr/bin" }, "/bin/sh")
	stage1.CPPFLAGS, stage1.LDFLAGS = nil, ""
	local system = {
		"dev-lang/perl", "dev-lang/python", "dev-libs/openssl", "app-misc/ca-certificates", "net-misc/curl", "dev-util/pkgconf",
		"sys-devel/bison", "sys-devel/flex", "sys-devel/gettext", "app-arch/zstd", "dev-libs/expat", "dev-libs/libffi", "sys-apps/less", "sys-apps/eprefix",
	}
	-- Whatever is built needs make: where the host has none, all waits for it.
	local stages, begin = {}, {}
	if not host.make then
		begin = { "stage1-make:*" }
		stages[1] = { name = "stage1-make", title = "make, which the host lacks", root = tmp, broots = { tmp }, host_tools = true, tools = stage1,
			packages = { "dev-build/make" }, use = {}, needs = {} }
	end
	table.move({
		{ name = "stage1", title = "what building needs and the host may lack", root = tmp, broots = { tmp }, host_tools = true, tools = stage1,
			packages = host.make and { "dev-build/make", "sys-devel/m4" } or { "sys-devel/m4" }, use = {}, needs = begin },
		{ name = "stage3", title = "shell and tools on the host's C library", root = prefix, broots = { tmp, prefix }, host_tools = true, tools = own,
			use = {}, needs = { "stage1:*" },
			packages = {
				"sys-apps/baselayout", "app-shells/bash", "sys-apps/coreutils", "sys-apps/sed", "sys-apps/grep", "sys-apps/gawk", "sys-apps/findutils",
				"sys-apps/diffutils", "app-arch/tar", "app-arch/gzip", "app-arch/bzip2", "app-arch/xz-utils", "sys-devel/patch", "dev-build/make",
				"sys-devel/m4", "sys-apps/file",
			} },
		{ name = "system", title = "the base system", root = prefix, broots = { prefix, tmp }, host_tools = true, tools = own, use = {},
			needs = { "stage3:*" }, packages = system },
		{ name = "devel", title = "tools that only later packages need", root = prefix, broots = { prefix, tmp }, host_tools = true, tools = own, use = {},
			needs = { "stage3:*" }, packages = opt.devel == false and {} or {
				"sys-apps/texinfo", "dev-build/autoconf", "dev-build/automake", "dev-build/libtool", "dev-util/gperf", "dev-build/cmake",
				"dev-build/ninja", "dev-build/meson",
			} },
	}, 1, 4, #stages + 1, stages)
	return stages
end
