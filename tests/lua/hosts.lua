-- What host files conclude, from simulated machines.
local equal = ...
local linux, darwin = require("hosts.linux"), require("hosts.darwin")

-- A machine: programs by name, what commands print by their words, which compilers work.
local function machine(m)
	local probe = {}
	function probe.uname() return { sysname = m.sysname or "Linux", machine = m.machine or "x86_64" } end
	function probe.path() return { "/usr/bin" } end
	function probe.which(name) return (m.programs or {})[name] and "/usr/bin/" .. name or nil end
	function probe.at(path) return path end
	function probe.read() return nil end
	function probe.list() return {} end
	function probe.exists(path) return (m.files or {})[path] or false end
	function probe.run(argv)
		local words = table.concat(argv, " "):gsub("/usr/bin/", "")
		for start, answer in pairs(m.answers or {}) do
			if words:sub(1, #start) == start then
				return type(answer) == "number" and answer or 0, type(answer) == "string" and answer or ""
			end
		end
		return 127, words .. ": not found"
	end
	function probe.program(call)
		return (m.broken or {})[call[1]:match("[^/]+$")] and "failed" or "ran"
	end
	return probe
end

local function debian(changes)
	local m = {
		programs = { gcc = true, ["g++"] = true, make = true, python3 = true },
		files = { ["/lib64/ld-linux-x86-64.so.2"] = true },
		answers = {
			["gcc -dM"] = "#define __GNUC__ 12\n", ["gcc -dumpfullversion"] = "12.2.0", ["gcc -dumpmachine"] = "x86_64-linux-gnu",
			["python3"] = "",
		},
	}
	for name, value in pairs(changes or {}) do
		m[name] = value
	end
	return m
end

local function facts(m, wish)
	return linux(machine(m), wish or {})
end

return {
	a_plain_debian = function()
		local f = facts(debian())
		equal(f.chost .. " " .. f.arch .. " " .. f.libc .. " " .. f.loader, "x86_64-pc-linux-gnu amd64 glibc ld-linux-x86-64.so.2")
		equal(f.cc .. f.cxx .. f.cc_kind .. f.cc_version, "/usr/bin/gcc/usr/bin/g++gcc12.2.0")
		equal(tostring(f.make) .. tostring(f.python3) .. tostring(f.retarget) .. tostring(f.unfit), "truetruetruenil")
	end,
	an_old_gcc_is_not_retargeted = function()
		for version, recent in pairs({ ["11.4.0"] = false, ["12.0.1"] = false, ["12.1.0"] = true, ["13"] = true, ["4.4.7"] = false }) do
			local m = debian()
			m.answers["gcc -dumpfullversion"] = version
			equal(version .. tostring(facts(m).retarget), version .. tostring(recent))
		end
	end,
	a_compiler_that_makes_nothing_is_passed_over = function()
		local f = facts(debian({
			programs = { gcc = true, cc = true, ["g++"] = true },
			broken = { gcc = true, ["g++"] = true },
			answers = { ["cc -dM"] = "#define __clang__ 1\n#define __GNUC__ 4\n", ["cc -dumpfullversion"] = 1 },
		}))
		equal(f.cc .. " " .. f.cc_kind .. " " .. tostring(f.cxx) .. " " .. tostring(f.retarget), "/usr/bin/cc clang nil false")
	end,
	the_users_compiler_is_the_only_one_tried = function()
		local f = facts(debian({ programs = { gcc = true, ["gcc-13"] = true, ["g++"] = true } }), { cc = "gcc-13" })
		equal(f.cc, "/usr/bin/gcc-13")
		equal(facts(debian({ broken = { ["gcc-13"] = true } }), { cc = "gcc-13" }).cc, nil)
	end,
	what_is_missing_is_said = function()
		local f = facts(debian({ programs = {}, answers = {} }))
		equal(tostring(f.cc) .. tostring(f.make) .. tostring(f.python3), "nilfalsefalse")
	end,
	musl_is_recognised = function()
		local m = debian({ files = {} })
		m.answers["gcc -dumpmachine"] = "x86_64-alpine-linux-musl"
		equal(facts(m).libc, "musl")
	end,
	arm64 = function()
		local f = facts(debian({ machine = "aarch64", files = { ["/lib/ld-linux-aarch64.so.1"] = true } }))
		equal(f.arch .. " " .. f.chost .. " " .. f.libc, "arm64 aarch64-unknown-linux-gnu glibc")
	end,
	an_unknown_processor_is_unfit = function()
		equal(#facts(debian({ machine = "sparc64" })).unfit, 1)
	end,
	a_mac_without_tools_is_told_how_to_get_them = function()
		local f = darwin(machine({ sysname = "Darwin", machine = "arm64", answers = { ["xcode-select"] = 2 } }), {})
		equal(f.unfit[1], "the Command Line Tools are not installed: run `xcode-select --install`")
	end,
	a_mac_whose_licence_is_not_accepted = function()
		local probe = machine({ sysname = "Darwin", machine = "arm64" })
		function probe.run(argv)
			if argv[1] == "xcode-select" then
				return 0, "/Library/Developer/CommandLineTools\n"
			end
			return 69, "You have not agreed to the Xcode license agreements"
		end
		equal(darwin(probe, {}).unfit[1], "the Xcode licence is not accepted: run `sudo xcodebuild -license`")
	end,
	a_fit_mac = function()
		local f = darwin(machine({
			sysname = "Darwin", machine = "arm64", programs = { clang = true, ["clang++"] = true, make = true },
			answers = { ["xcode-select"] = "/tools\n", ["xcrun"] = "/sdk\n", ["uname -r"] = "23.1.0\n" },
		}), {})
		equal(tostring(f.unfit) .. " " .. f.chost .. " " .. f.sdk .. " " .. f.cc, "nil aarch64-apple-darwin23 /sdk /usr/bin/clang")
	end,
}
