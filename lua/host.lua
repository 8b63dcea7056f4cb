-- host: what this machine is and can do, asked of it by doing (lua/hosts/*.lua decide what to ask).
local px = require("px")
local environ = require("environ")

local host = {}

local PROGRAM_TIMEOUT_S = 60

-- Directories of the host's own that hold programs; the caller's PATH is not asked (design §9). options.path, a
-- list, stands in for them.
local DIRS = { "/usr/bin", "/bin", "/usr/sbin", "/sbin" }

local function existing(dirs)
	local out, seen = {}, {}
	for _, dir in ipairs(dirs) do
		local real = px.fs.is_dir(dir) and px.fs.real(dir)
		if real and not seen[real] then
			seen[real] = true
			out[#out + 1] = dir
		end
	end
	return out
end

local SUFFIX = { c = ".c", ["c++"] = ".cc" }

-- Compile, link and run a program: how far it came, and the output of the last step.
local function program(run, dir, call)
	local cc, language, source = call[1], call[2], call[3]
	local binary = dir .. "/probe"
	local from, object = binary .. (SUFFIX[language] or "." .. language), binary .. ".o"
	px.fs.remove(object)
	px.fs.remove(binary)
	px.fs.write(from, source, 420)
	local flags = table.move(call, 4, #call, 1, {})
	local status, output = run(table.move(flags, 1, #flags, 6, { cc, "-c", "-o", object, from }))
	if status ~= 0 then
		return "failed", output
	end
	status, output = run(table.move(flags, 1, #flags, 5, { cc, "-o", binary, object }))
	if status ~= 0 then
		return "compiled", output
	end
	status, output = run({ binary })
	return status == 0 and "ran" or "linked", output
end

-- What the host files are given; work happens in dir, an existing directory. dirs: where programs are looked for;
-- sysroot: put before the paths of files that are asked for (tests), nil: none.
function host.probe(dir, dirs, sysroot)
	local probe = {}
	local path = existing(dirs)
	local env = environ.list({
		PATH = table.concat(path, ":"), LC_ALL = "C", HOME = dir, TMPDIR = dir, TERM = "dumb",
	})
	local function run(argv)
		local ok, result = pcall(px.proc.run, {
			argv = argv, env = env, cwd = dir, capture = true, tail = 40, timeout = PROGRAM_TIMEOUT_S,
		})
		if not ok then
			return 127, tostring(type(result) == "table" and result.message or result)
		end
		return result.status, result.out .. result.tail
	end
	probe.run = run
	function probe.uname() return px.uname() end
	function probe.path() return path end
	function probe.at(name) return (sysroot or "") .. name end
	function probe.exists(name) return px.fs.exists(probe.at(name)) end
	function probe.read(name)
		local ok, text = pcall(px.fs.read, probe.at(name))
		return ok and text or nil
	end
	function probe.list(name)
		return px.fs.is_dir(probe.at(name)) and px.fs.list(probe.at(name)) or {}
	end
	function probe.which(name)
		if name:sub(1, 1) == "/" then
			return px.fs.exists(name) and name or nil
		end
		return px.proc.which(name, table.concat(path, ":"))
	end
	function probe.program(call) return program(run, dir, call) end
	return probe
end

local function directory_of(path)
	return path and path:match("^(/.*)/[^/]+$")
end

-- The facts of this machine. options.cc and options.cxx name compilers; their directories are searched too.
function host.facts(dir, options)
	local dirs, usual = {}, options.path or DIRS
	for _, name in ipairs({ "cc", "cxx" }) do
		dirs[#dirs + 1] = directory_of(options[name])
	end
	table.move(usual, 1, #usual, #dirs + 1, dirs)
	local file = px.uname().sysname:lower()
	local ok, ask = pcall(require, "hosts." .. file)
	if not ok then
		error({ what = "host.unknown", code = px.ERR_HOST, message = ("no host file for %s: lua/hosts/%s.lua")
			:format(file, file) }, 0)
	end
	return ask(host.probe(dir, dirs), options)
end

return host
