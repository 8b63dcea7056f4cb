-- linux: the road of a standalone prefix, from the host's compiler to one that runs on the prefix's own C library.

-- The tools of the host: stage1 makes what it may lack, stage2 the C library.
local function host_tools(host, tmp)
	local path = { tmp .. "/usr/bin" }
	table.move(host.path, 1, #host.path, 2, path)
	return {
		path = path, CHOST = host.chost, CBUILD = host.chost, loader = host.loader,
		CC = host.cc, CXX = host.cxx, BUILD_CC = host.cc, HOST_CC = host.cc, HOST_CXX = host.cxx,
		AR = "ar", AS = "as", LD = "ld", NM = "nm", RANLIB = "ranlib", STRIP = "strip", OBJCOPY = "objcopy", OBJDUMP = "objdump", READELF = "readelf",
		CFLAGS = "-O2 -pipe", CXXFLAGS = "-O2 -pipe", LDFLAGS = "", CONFIG_SHELL = "/bin/sh",
		env = { MAKEINFO = "true" },
	}
end

-- Tools named after CHOST, found on `path`: first those of tmp, at the end the prefix's own.
local function prefix_tools(host, path, shell)
	local tools = {
		path = path, CHOST = host.chost, CBUILD = host.chost, loader = host.loader,
		CFLAGS = "-O2 -pipe", CXXFLAGS = "-O2 -pipe", LDFLAGS = "", CONFIG_SHELL = shell, shebangs = true, leaks = true,
		env = { MAKEINFO = "true" },
	}
	for name, program in pairs { CC = "gcc", CXX = "g++", AR = "ar", AS = "as", LD = "ld", NM = "nm", RANLIB = "ranlib",
		STRIP = "strip", OBJCOPY = "objcopy", OBJDUMP = "objdump", READELF = "readelf" } do
		tools[name] = host.chost .. "-" .. program
	end
	tools.BUILD_CC = tools.CC
	return tools
end

return function(host, opt)
	local prefix, tmp = "$EPREFIX", "$EPREFIX/tmp"
	local on_host = host_tools(host, tmp)
	local retarget = opt.toolchain == "retarget" or (opt.toolchain ~= "cross" and host.retarget)

	local stage1 = {
		name = "stage1", title = "what building needs and the host may lack", root = tmp, broots = { tmp }, host_tools = true,
		tools = on_host, packages = { "dev-build/make", "sys-devel/m4", "sys-devel/bison", "sys-apps/gawk" }, use = {}, needs = {},
	}
	-- Whatever is built needs make: where the host has none, all waits for it.
	local first = {}
	if not host.make then
		table.remove(stage1.packages, 1)
		stage1.needs = { "stage1-make:*" }
		first[1] = { name = "stage1-make", title = "make, which the host lacks", root = tmp, broots = { tmp }, host_tools = true,
			tools = on_host, packages = { "dev-build/make" }, use = {}, needs = {} }
	end
	if not host.python3 then
		table.insert(stage1.packages, "dev-lang/python")
		table.insert(stage1.use, "dev-lang/python -bzip2 -ffi -lzma -ncurses -readline -ssl -zlib")
	end

	on_host.CTARGET = host.chost:gsub("^([%w_]+)%-%w+%-", "%1-rap-")
	local cross = prefix_tools(host, on_host.path, "/bin/sh")
	cross.CTARGET, cross.leaks = on_host.CTARGET, nil
	local libc_tools = {}
	for key, value in pairs(on_host) do
		libc_tools[key] = value
	end
	libc_tools.shebangs, libc_tools.leaks = true, true

	local base = { name = "stage2", title = "the C library", root = prefix, broots = { tmp }, host_tools = true,
		tools = libc_tools, packages = { "sys-apps/baselayout", "sys-kernel/linux-headers", "sys-libs/glibc" }, use = {}, needs = stage1.needs }
	local compiler = { name = "stage2-cc", title = "a compiler for it", root = tmp, broots = { tmp }, host_tools = true,
		tools = on_host, packages = { "sys-devel/retarget" }, use = {}, needs = { "stage2:*" } }
	local stages = first
	table.move({ stage1, base, compiler }, 1, 3, #stages + 1, stages)
	if not retarget then
		compiler.packages = { "sys-devel/cross-binutils", "sys-devel/cross-gcc" }
		compiler.needs = { "stage2:sys-kernel/linux-headers" }
		libc_tools.CC, libc_tools.CXX = cross.CC, cross.CXX
		for _, name in ipairs { "AR", "AS", "LD", "NM", "RANLIB", "STRIP", "OBJCOPY", "OBJDUMP", "READELF" } do
			libc_tools[name] = cross[name]
		end
		base.packages = { "sys-apps/baselayout", "sys-kernel/linux-headers" }
		stages[#stages + 1] = { name = "stage2-libc", title = "the C library", root = prefix, broots = { tmp }, host_tools = true,
			tools = libc_tools, packages = { "sys-libs/glibc" }, use = {}, needs = { "stage2:*", "stage2-cc:*" } }
		stages[#stages + 1] = { name = "stage2-libs", title = "the compiler's libraries", root = tmp, broots = { tmp }, host_tools = true,
			tools = cross, packages = { "sys-devel/cross-libs" }, use = {}, needs = { "stage2-libc:*" } }
	end

	local reach = stages[#stages].name .. ":"
	local by = retarget and "stage2-cc:sys-devel/retarget" or "stage2-libs:sys-devel/cross-libs"
	stages[#stages + 1] = {
		name = "stage3-cc", title = "the compiler, on the prefix's C library", root = prefix, broots = { tmp, prefix },
		host_tools = true, tools = cross, use = {}, needs = { reach .. "*", by }, packages = { "sys-devel/gcc" },
	}
	stages[#stages + 1] = {
		name = "stage3", title = "shell and tools on the prefix's C library", root = prefix, broots = { tmp, prefix },
		host_tools = true, tools = cross, use = {}, needs = { reach .. "*", by },
		packages = {
			"sys-devel/binutils", "app-shells/bash", "sys-apps/coreutils", "sys-apps/sed", "sys-apps/grep",
			"sys-apps/gawk", "sys-apps/findutils", "sys-apps/diffutils", "app-arch/tar", "app-arch/gzip", "app-arch/bzip2",
			"app-arch/xz-utils", "sys-devel/patch", "dev-build/make", "sys-devel/m4", "sys-apps/file",
		},
	}

	-- What is written in C and keeps no trace of its compiler is built beside the final gcc: with the prefix's own tools and
	-- the compiler that stage3 was built by. The rest waits.
	local own = prefix_tools(host, { prefix .. "/usr/bin" }, prefix .. "/bin/sh")
	local early = prefix_tools(host, { tmp .. "/usr/lib/hostcc/path", prefix .. "/usr/bin" }, prefix .. "/bin/sh")
	local function by_own(name, title, packages)
		return { name = name, title = title, root = prefix, broots = { prefix }, tools = own, use = {},
			needs = { "stage3:*", "stage3-cc:sys-devel/gcc" }, packages = packages }
	end
	local function beside(name, title, packages)
		local s = by_own(name, title, packages)
		if retarget then
			s.broots, s.tools, s.needs = { tmp, prefix }, early, { "stage3:*", by }
		end
		return s
	end
	stages[#stages + 1] = beside("system", "the base system", {
		"dev-lang/perl", "dev-lang/python", "dev-libs/openssl", "app-misc/ca-certificates", "net-misc/curl", "dev-util/pkgconf",
		"sys-devel/bison", "sys-devel/flex", "app-arch/zstd", "dev-libs/expat", "dev-libs/libffi", "sys-apps/less",
	})
	stages[#stages + 1] = by_own("system-cxx", "the base system, by its own compiler", { "sys-devel/gettext", "sys-apps/eprefix" })
	if opt.devel == false then
		return stages
	end
	stages[#stages + 1] = beside("devel", "tools that only later packages need", {
		"sys-apps/texinfo", "dev-build/autoconf", "dev-build/automake",
	})
	stages[#stages + 1] = by_own("devel-cxx", "tools that only later packages need, by the own compiler", {
		"dev-build/libtool", "dev-util/gperf", "dev-build/cmake", "dev-build/ninja", "dev-build/meson",
	})
	return stages
end
