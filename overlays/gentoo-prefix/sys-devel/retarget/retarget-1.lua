-- The host's own gcc, pointed at the prefix's C library: a tree of symlinks moves the driver's idea of where it is
-- installed, so that every library directory of the host falls off its search path. It stands in for gcc pass 1.
return plain {
	DESCRIPTION = "Host compiler retargeted at the prefix's C library",
	HOMEPAGE = "https://wiki.gentoo.org/wiki/Project:Prefix",
	LICENSE = "GPL-2",
	KEYWORDS = "amd64 ~arm64",
	RESTRICT = "strip",

	-- Ask the compiler where its parts are; never guess a distribution's layout.
	compile = function(b)
		local cc, cxx = b.tools.HOST_CC, b.tools.HOST_CXX
		local libgcc = b:capture { cc, "-print-libgcc-file-name" }
		local dir = libgcc:match "^(.*)/[^/]+$" or b:die(cc .. " names no libgcc")
		local machine, version = dir:match "([^/]+)/([^/]+)$"
		local farm = "$BUILD/hostcc"
		b:mkdir(farm .. "/bin", farm .. "/libexec", farm .. "/empty", farm .. "/lib/gcc/" .. machine .. "/" .. version)
		b:symlink(b:which(cc), farm .. "/bin/gcc")
		b:symlink(b:which(cxx), farm .. "/bin/g++")
		for _, path in ipairs(b:glob(dir .. "/*")) do
			b:symlink(path, farm .. "/lib/gcc/" .. machine .. "/" .. version .. "/" .. path:match "[^/]+$")
		end
		local cc1 = b:capture { cc, "-print-prog-name=cc1" }
		local libexec = cc1:match "^(/.*)/[^/]+$"
		if libexec and libexec ~= dir then
			b:mkdir(farm .. "/libexec/gcc/" .. machine)
			b:symlink(libexec, farm .. "/libexec/gcc/" .. machine .. "/" .. version)
		end

		local function search(program, language)
			local list, on = {}, false
			local text = b:capture { "sh", "-c", "\"$1\" -E -v -x " .. language .. " /dev/null 2>&1", "sh", program }
			for line in text:gmatch "[^\n]+" do
				if line:find("#include <...>", 1, true) then
					on = true
				elseif line:find "^End of search list" then
					on = false
				elseif on then
					list[#list + 1] = line:match "^%s*(%S+)"
				end
			end
			return list
		end
		local own, cxxdirs = {}, {}
		for _, path in ipairs(search(cc, "c")) do
			if path:find("/gcc/", 1, true) then
				own[#own + 1] = "-isystem " .. path
			end
		end
		for _, path in ipairs(search(cxx, "c++")) do
			if path:find("/c++/", 1, true) or path:match "/c%+%+$" then
				cxxdirs[#cxxdirs + 1] = "-isystem " .. path
			end
		end
		if #own == 0 then
			b:die(cc .. " shows no header directory of its own with -v; use --toolchain=cross")
		end

		local link = "-no-canonical-prefixes --sysroot=\"$here\"/empty -B$TARGET/usr/lib/ -L$TARGET/usr/lib -Wl,-rpath-link,$TARGET/usr/lib"
			.. " -Wl,--dynamic-linker=$TARGET/lib64/" .. b.tools.loader .. " -static-libgcc"
		local function wrapper(program, flags)
			return "#!/bin/sh\nhere=$TARGET/tmp/usr/lib/hostcc\nexec \"$here\"/bin/" .. program .. " -nostdinc " .. flags .. " "
				.. table.concat(own, " ") .. " -isystem $TARGET/usr/include " .. link .. ' "$@"\n'
		end
		b:write("gcc", wrapper("gcc", ""), 493)
		b:write("g++", wrapper("g++", "-nostdinc++ " .. table.concat(cxxdirs, " ") .. " -static-libstdc++"), 493)
	end,

	install = function(b)
		b:dodir("/usr/lib")
		b:copy("hostcc", "$ED/usr/lib/hostcc")
		b:mkdir("$ED/usr/lib/hostcc/path")
		b:newbin("gcc", "$CHOST-gcc")
		b:newbin("g++", "$CHOST-g++")
		for link, name in pairs { gcc = "gcc", cc = "gcc", ["c++"] = "g++", ["g++"] = "g++", ["$CHOST-cc"] = "gcc", ["$CHOST-c++"] = "g++" } do
			b:dosym("$CHOST-" .. name, "/usr/bin/" .. link)
		end
		-- Where the prefix's own tools are to be found first, only the compiler is added, by this directory.
		for _, name in ipairs { "gcc", "cc", "g++", "c++" } do
			b:symlink("../../../bin/$CHOST-" .. name, "$ED/usr/lib/hostcc/path/$CHOST-" .. name)
			b:symlink("$CHOST-" .. name, "$ED/usr/lib/hostcc/path/" .. name)
		end
		for _, tool in ipairs { "ar", "as", "ld", "nm", "ranlib", "strip", "objcopy", "objdump", "readelf" } do
			local path = b:which(tool)
			b:symlink(path, "$ED/usr/bin/$CHOST-" .. tool)
			b:symlink(path, "$ED/usr/bin/" .. tool)
		end
	end,
}
