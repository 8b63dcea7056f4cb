-- context: the `b` that a phase is given: where things are, and running commands.
local px = require("px")
local environ = require("environ")
local expand = require("expand")
local expr = require("expr")

local context = {}

local methods = {}
context.methods = methods

local TAIL_LINES = 25

local function flag_set(words)
	local set = {}
	for word in (words or ""):gmatch("%S+") do
		set[word] = true
	end
	return set
end

local function declared(iuse)
	local set = {}
	for word in (iuse or ""):gmatch("%S+") do
		set[word:gsub("^[+-]", "", 1)] = true
	end
	return set
end

-- b.use.FLAG is a boolean; asking for a flag the recipe does not declare is an error.
local function use_table(r, enabled)
	local known = declared(r.spec.IUSE)
	return setmetatable({}, {
		__index = function(_, flag)
			if not known[flag] and not enabled[flag] and not tostring(flag):find("_") then
				error(("b.use.%s: the flag is not in IUSE"):format(tostring(flag)), 2)
			end
			return enabled[flag] or false
		end,
		__newindex = function() error("USE flags are fixed while a package builds", 2) end,
	})
end

local function layout(b, job, r)
	b.eprefix, b.target, b.workdir = job.root, job.target, job.workdir
	b.d, b.ed, b.t = job.workdir .. "/image", job.workdir .. "/image" .. job.root, job.workdir .. "/temp"
	b.src = job.workdir .. "/work/src"
	b.s = r.spec.subdir and b.src .. "/" .. r.spec.subdir or b.src
	b.build = (r.spec.in_source or r.system.in_source) and b.s or job.workdir .. "/work/build"
	b.filesdir, b.distdir, b.jobs = r.filesdir, job.distdir, job.jobs
end

local function identity(b, job, r)
	local vars = r.vars
	b.pn, b.pv, b.p, b.pvr, b.pf = vars.PN, vars.PV, vars.P, vars.PVR, vars.PF
	b.category, b.slot, b.stage, b.host = vars.CATEGORY, vars.SLOT, job.stage, job.facts
	local chost = job.tools.CHOST or (job.facts or {}).chost
	b.chost, b.cbuild = chost, job.tools.CBUILD or (job.facts or {}).chost or chost
	b.ctarget = job.tools.CTARGET or b.chost
end

local function variables(b, r)
	local vars = {
		EPREFIX = b.eprefix, TARGET = b.target, CHOST = b.chost, CBUILD = b.cbuild, CTARGET = b.ctarget, D = b.d,
		ED = b.ed, S = b.s, BUILD = b.build, WORKDIR = b.workdir, T = b.t, FILESDIR = b.filesdir, DISTDIR = b.distdir,
		JOBS = tostring(b.jobs),
	}
	for name, value in pairs(b.tools) do
		if type(value) == "string" and name:match("^[A-Z]") then
			vars[name] = vars[name] or value
		end
	end
	return setmetatable(vars, {
		__index = function(_, name) return r.vars[name] or expand.TOOLS[name] end,
	})
end

-- The context of one job (see phase.lua) for a loaded recipe.
function context.new(job, r)
	local b = setmetatable({}, { __index = methods, __name = "b" })
	b.job, b.recipe, b.spec, b.tools = job, r, r.spec, job.tools
	b.flags = flag_set(job.use)
	b.use = use_table(r, b.flags)
	layout(b, job, r)
	identity(b, job, r)
	b.vars = variables(b, r)
	b.env = environ.of(job, b.tools, expand.deep(r.spec.env or {}, b.vars))
	b.log_fd, b.options_extra = job.log_fd, {}
	return b
end

-- text with every $NAME replaced; an unknown name is an error.
function methods:expand(text)
	return expand.text(tostring(text), self.vars)
end

-- The same of a file's content: dollar signs that are none of ours stay.
function methods:content(text)
	return expand.content(tostring(text), self.vars)
end

-- The directory that relative paths start from: S until the sources are ready, BUILD afterwards.
function methods:base()
	local early = self.phase == "unpack" or self.phase == "prepare"
	return early and self.s or self.build
end

-- An argument as an absolute path.
function methods:path(text)
	local path = self:expand(text)
	return path:sub(1, 1) == "/" and path or self:base() .. "/" .. path
end

local function command(b, first, ...)
	local call = type(first) == "table" and first or { first, ... }
	local argv = {}
	for i, word in ipairs(call) do
		argv[i] = b:expand(word)
	end
	if #argv == 0 then
		error("a command needs a name", 3)
	end
	return argv, call
end

-- A command that could not be started at all; an interruption stays one.
local function not_started(failure)
	if type(failure) == "table" and failure.code ~= px.ERR_INTERRUPTED then
		failure.code = px.ERR_BUILD
	end
	error(failure, 0)
end

-- A command as one line of the log: words of several lines are cut.
local function shown(argv)
	local words = {}
	for i, word in ipairs(argv) do
		words[i] = word:gsub("\n.*", " …")
	end
	return table.concat(words, " ")
end

local function spawn(b, argv, call, capture)
	local cwd = call.cwd and b:path(call.cwd) or b:base()
	local env = expand.deep(call.env or {}, b.vars)
	if call.jobserver then
		env.MAKEFLAGS = b.job.makeflags or "-j" .. b.jobs
	end
	px.log(b.log_fd, "+ " .. shown(argv))
	local ok, result = pcall(px.proc.run, {
		argv = argv, cwd = cwd, env = environ.list(b.env, env), log = b.log_fd,
		capture = capture, timeout = call.timeout, tail = TAIL_LINES, keep_fds = call.jobserver and b.job.keep_fds,
		sandbox = b.job.confine and { b.workdir } or nil,
	})
	return ok and result or not_started(result)
end

local function memory_hint(b, result)
	if result.signal == 9 or (result.tail or ""):find("Killed", 1, true) then
		return ("\nit was killed, probably out of memory (peak %d MB); go on with fewer jobs than %d: --jobs"):format(
			(result.maxrss_kb or 0) // 1024, b.jobs)
	end
	return ""
end

-- Raise the failure of a command: phase, command, status, hint, its last lines.
local function command_failed(b, argv, result)
	local how = result.timed_out and "took longer than allowed"
		or result.signal and result.signal ~= 0 and ("was ended by signal %d"):format(result.signal)
		or ("ended with status %d"):format(result.status)
	local words = shown(argv)
	if #words > 300 then
		words = words:sub(1, 300) .. " …"
	end
	error({
		what = "build.command", code = px.ERR_BUILD,
		message = ("'%s' %s%s\n%s"):format(words, how, memory_hint(b, result),
			(result.tail or ""):sub(-1100)),
	}, 0)
end

-- Run a command; anything but exit status 0 fails the phase. { "cmd", "arg", cwd =, env =, timeout =, jobserver = }
-- jobserver: any make below it shares the jobs of all builds.
function methods:run(...)
	local argv, call = command(self, ...)
	local result = spawn(self, argv, call)
	if result.status ~= 0 then
		command_failed(self, argv, result)
	end
end

-- The same, returning what it printed without the last newline.
function methods:capture(...)
	local argv, call = command(self, ...)
	local result = spawn(self, argv, call, true)
	if result.status ~= 0 then
		command_failed(self, argv, result)
	end
	return (result.out:gsub("\n$", ""))
end

-- The same, returning the exit status instead of failing.
function methods:try(...)
	local argv, call = command(self, ...)
	return spawn(self, argv, call).status
end

-- make under the jobserver: b:make { "install", "DESTDIR=$D", cwd =, env =, timeout = }
function methods:make(...)
	local call = type((...)) == "table" and (...) or { ... }
	local full = { "$MAKE", cwd = call.cwd, timeout = call.timeout, jobserver = true, env = call.env }
	table.move(call, 1, #call, 2, full)
	self:run(full)
end

-- The recipe's options for these flags, and what a phase put into b.options_extra: a map of strings and booleans
-- when it is one, else a list; the list part comes second.
function methods:options()
	local options = self.spec.options or {}
	if type(options) == "function" then
		options = options(self)
	end
	local expanded = expand.deep(options, self.vars)
	local list, map = expr.reduce(table.move(expanded, 1, #expanded, 1, {}), self.flags), {}
	for _, item in ipairs(self.options_extra) do
		list[#list + 1] = self:expand(item)
	end
	for name, value in pairs(expanded) do
		if type(name) == "string" then
			map[name] = expr.value(value, self.flags)
		end
	end
	return next(map) ~= nil and map or list, list
end

-- The list field `name` reduced and expanded.
function methods:list(name)
	return expr.reduce(expand.deep(self.spec[name] or {}, self.vars), self.flags)
end

function methods:which(name)
	return environ.which(self.env, self:expand(name))
end

function methods:log(text)
	px.log(self.log_fd, self:expand(text))
end

function methods:warn(text)
	px.log(self.log_fd, "warning: " .. self:expand(text))
end

-- Fail the phase with a message of the recipe's own.
function methods:die(text)
	error({ what = "build.failed", code = px.ERR_BUILD, message = self:expand(text) }, 0)
end

return context
