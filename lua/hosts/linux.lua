-- linux: facts about a Linux host, found by doing. `probe` is all that is asked of the machine:
--   probe.uname() -> { sysname, machine }      probe.which(name) -> path or nil
--   probe.run { argv… } -> status, output      probe.exists(path)      probe.path() -> list of directories
--   probe.program { cc, language, source, flags… } -> "ran" | "linked" | "compiled" | "failed", output
--   probe.read(path) -> text or nil            probe.list(directory) -> sorted names
--   probe.at(path) -> the path as programs must be given it
local gpu = require("gpu")

local arches = { x86_64 = "amd64", amd64 = "amd64", aarch64 = "arm64", arm64 = "arm64" }
local machines = { amd64 = "x86_64", arm64 = "aarch64" }
local loaders = { amd64 = "ld-linux-x86-64.so.2", arm64 = "ld-linux-aarch64.so.1" }

local hello = {
	c = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n",
	["c++"] = "#include <iostream>\n#include <stdexcept>\nint main() { try { throw std::runtime_error(\"hello\"); }"
		.. " catch (const std::exception &e) { std::cout << e.what() << std::endl; } return 0; }\n",
}

-- The compilers a host may have, first one that makes a program which runs.
local function compiler(probe, names, language)
	for _, name in ipairs(names) do
		local path = probe.which(name)
		if path and probe.program { path, language, hello[language] } == "ran" then
			return path
		end
	end
end

local function version_of(probe, cc)
	local status, text = probe.run { cc, "-dumpfullversion", "-dumpversion" }
	return status == 0 and text:match "^%d[%d.]*" or nil
end

-- "gcc" or "clang", by what the preprocessor defines.
local function kind_of(probe, cc)
	local status, text = probe.run { cc, "-dM", "-E", "-x", "c", "/dev/null" }
	if status ~= 0 then
		return nil
	end
	return text:find("__clang__", 1, true) and "clang" or text:find("__GNUC__", 1, true) and "gcc" or nil
end

-- glibc 2.41 asks for gcc 12.1 or newer of the compiler that builds it and of the one retargeted at it.
local function recent_gcc(facts)
	local major, minor = (facts.cc_version or ""):match "^(%d+)%.?(%d*)"
	major, minor = tonumber(major) or 0, tonumber(minor) or 0
	return facts.cc_kind == "gcc" and (major > 12 or (major == 12 and minor >= 1))
end

return function(probe, wish)
	local uname = probe.uname()
	local facts = { os = "linux", machine = uname.machine, arch = arches[uname.machine] }
	if not facts.arch then
		facts.unfit = { "no recipes for a " .. uname.machine .. " processor: x86_64 and aarch64 are known" }
		return facts
	end
	facts.chost = machines[facts.arch] .. "-pc-linux-gnu"
	if facts.arch == "arm64" then
		facts.chost = "aarch64-unknown-linux-gnu"
	end
	facts.loader = loaders[facts.arch]
	facts.path = probe.path()
	facts.cc = compiler(probe, wish.cc and { wish.cc } or { "gcc", "cc", "clang" }, "c")
	facts.cxx = compiler(probe, wish.cxx and { wish.cxx } or { "g++", "c++", "clang++" }, "c++")
	if facts.cc then
		facts.cc_kind, facts.cc_version = kind_of(probe, facts.cc), version_of(probe, facts.cc)
	end
	facts.make = probe.which "make" ~= nil
	local python = probe.which "python3"
	if python then
		local status = probe.run { python, "-c", "import sys; sys.exit(sys.version_info < (3, 4))" }
		facts.python3 = status == 0
	else
		facts.python3 = false
	end
	facts.retarget = recent_gcc(facts)
	facts.libc = probe.exists("/lib/" .. facts.loader) and "glibc" or probe.exists("/lib64/" .. facts.loader) and "glibc" or "unknown"
	local status, machine = probe.run { facts.cc or "cc", "-dumpmachine" }
	if status == 0 and machine:find("musl", 1, true) then
		facts.libc = "musl"
	end
	facts.gpu = gpu.detect(probe)
	return facts
end
