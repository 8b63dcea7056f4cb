-- recipe: load one recipe (and the libraries it names) as text into a closed environment, checked and expanded.
local px = require("px")
local expand = require("expand")
local expr = require("expr")
local schema = require("schema")
local sources = require("sources")

local recipe = {}

local SYSTEMS = { "autotools", "cmake", "make", "meson", "plain", "python" }

-- Flags of the profile (PMS IUSE_EFFECTIVE): a recipe may ask about them without listing them in IUSE.
local IMPLICIT = { "^elibc_", "^kernel_", "^prefix$", "^prefix%-", "^amd64$", "^arm64$", "^x86$", "^arm$", "^riscv$",
	"^ppc64$", "^loong$", "^s390$", "^x64%-macos$", "^arm64%-macos$" }

local function pure_library(from, without)
	local copy = {}
	for name, value in pairs(from) do
		if name ~= without then
			copy[name] = value
		end
	end
	return copy
end

-- What recipes and libraries see: pure functions, the algebra, and nothing that touches the world.
local function globals()
	return {
		string = pure_library(string, "dump"), table = pure_library(table), math = pure_library(math, "random"),
		assert = assert, error = error, ipairs = ipairs, pairs = pairs, next = next, select = select, type = type,
		tonumber = tonumber, tostring = tostring,
		use = expr.use, unless = expr.unless, any = expr.any, one = expr.one, at_most = expr.at_most, csv = expr.csv,
		enable = expr.enable, with = expr.with, feature = expr.feature,
		defaults = schema.over,
	}
end

-- A table that reads `names` and makes any other name, and any assignment, an error.
local function closed(names)
	return setmetatable({}, {
		__index = function(_, name)
			local value = names[name]
			if value == nil then
				error(("'%s' is not known to recipes"):format(tostring(name)), 2)
			end
			return value
		end,
		__newindex = function(_, name)
			error(("recipes have no global variables: write 'local %s'"):format(tostring(name)), 2)
		end,
		__metatable = false,
	})
end

local function read(path, what)
	local text = px.fs.read(path)
	if not text then
		error({ what = "recipe.missing", code = px.ERR_FAILED, message = ("%s: no such %s"):format(path, what) })
	end
	return text
end

local function fail(path, message)
	error({ what = "recipe.invalid", code = px.ERR_FAILED, message = ("%s%s"):format(path, message) })
end

-- Lua shortens long chunk names, so chunks are named by their last part and messages get the whole path back.
local function run_chunk(path, text, env)
	local base = path:match("[^/]+$")
	local function raise(message)
		if type(message) == "table" then
			error(message, 0)
		elseif message:sub(1, #base + 1) == base .. ":" then
			fail(path, message:sub(#base + 1))
		end
		fail(path, ": " .. message)
	end
	local chunk, wrong = load(text, "@" .. base, "t", env)
	if not chunk then
		raise(wrong)
	end
	local ok, result = pcall(chunk)
	return ok and result or raise(result)
end

-- `lib "NAME"` of one recipe: lib/NAME.lua of its repository, run once in the recipe's environment.
local function library_loader(ref, env, used)
	local loaded = {}
	return function(name)
		if type(name) ~= "string" or not name:match("^[%w][%w_.-]*$") then
			error("lib wants a name: lib \"rocm\"", 2)
		end
		if loaded[name] == nil then
			local path = ("%s/lib/%s.lua"):format(ref.repo_path, name)
			local text = read(path, "library")
			used[#used + 1] = { name = name, path = path, text = text }
			loaded[name] = run_chunk(path, text, env)
			if loaded[name] == nil then
				fail(path, ": a library returns what it offers")
			end
		end
		return loaded[name]
	end
end

-- The line of `word` in text as ":LINE: ", or ": ".
local function at_line(text, word)
	local from = word and text:find("%f[%w_]" .. word:gsub("%p", "%%%0") .. "%f[^%w_]")
	if not from then
		return ": "
	end
	local _, before = text:sub(1, from):gsub("\n", "")
	return (":%d: "):format(before + 1)
end

local function declared_flags(iuse)
	local flags = {}
	for word in (iuse or ""):gmatch("%S+") do
		flags[word:gsub("^[+-]", "", 1)] = true
	end
	return flags
end

local function is_implicit(flag)
	for _, pattern in ipairs(IMPLICIT) do
		if flag:find(pattern) then
			return true
		end
	end
	return false
end

local function check_flags(r)
	local declared = declared_flags(r.spec.IUSE)
	for _, name in ipairs(schema.names()) do
		local value = r.spec[name]
		if value ~= nil and type(value) ~= "function" and name ~= "IUSE" then
			expr.flags(value, function(flag)
				if not declared[flag] and not is_implicit(flag) then
					fail(r.path, ("%s%s asks about the flag '%s', which is not in IUSE"):format(
						at_line(r.text, flag), name, flag))
				end
			end)
		end
	end
end

-- Variables that stand for every name a phase may use: expanding with them only checks the names.
local function checking_vars(vars)
	local all = setmetatable({}, { __index = vars })
	for _, name in ipairs(expand.PHASE) do
		all[name] = name
	end
	for name in pairs(expand.TOOLS) do
		all[name] = name
	end
	return all
end

local LATE = { options = true, env = true, make_args = true }

-- Expand load-time names in every field; names in LATE fields are checked now and expanded in phases.
local function expand_fields(r)
	local vars = expand.load_vars(r.ref)
	if type(r.spec.SLOT) == "string" then
		vars.SLOT = expand.text(r.spec.SLOT, vars)
	end
	local checking = checking_vars(vars)
	for _, name in ipairs(schema.names()) do
		local ok, result = pcall(expand.deep, r.spec[name], LATE[name] and checking or vars)
		if not ok then
			fail(r.path, at_line(r.text, name) .. name .. ": " .. tostring(result))
		elseif not LATE[name] then
			r.spec[name] = result
		end
	end
	r.vars = vars
end

-- But for who is about to write that Manifest (ref.unlisted).
local function check_manifest(r)
	if r.ref.unlisted then
		return
	end
	for _, source in ipairs(r.sources) do
		for _, file in ipairs(source.alternatives) do
			if not r.manifest[file.name] then
				fail(r.path, ("%ssource %s has no DIST line in %s/Manifest; add one: DIST NAME SIZE BLAKE2B … SHA512 …"):format(
					at_line(r.text, "sources"), file.name, r.dir))
			end
		end
	end
end

local function guard(r, field, f, ...)
	local ok, result = pcall(f, ...)
	if not ok then
		if type(result) == "table" then
			error(result, 0)
		end
		fail(r.path, at_line(r.text, field) .. tostring(result))
	end
	return result
end

local function words(value)
	return type(value) == "table" and table.concat(value, " ") or value
end

local function check(r)
	local wrong, field = schema.check(r.spec)
	if wrong then
		fail(r.path, at_line(r.text, field) .. wrong)
	end
	for name, kind in pairs(schema.FIELDS) do
		if kind == "words" then
			r.spec[name] = words(r.spec[name])
		end
	end
	expand_fields(r)
	r.spec.SLOT = r.spec.SLOT or "0"
	r.vars.SLOT = r.spec.SLOT
	check_flags(r)
	r.sources = guard(r, "sources", sources.list, r.spec.sources)
	check_manifest(r)
end

local function paths(r, ref)
	r.dir = ("%s/%s/%s"):format(ref.repo_path, ref.category, ref.pn)
	r.path = ("%s/%s-%s.lua"):format(r.dir, ref.pn, ref.pvr)
	r.filesdir = r.dir .. "/files"
end

local function environment(ref, used)
	local names = globals()
	local env = closed(names)
	for _, name in ipairs(SYSTEMS) do
		names[name] = function(spec)
			if type(spec) ~= "table" then
				error(name .. " wants a table: return " .. name .. " { … }", 2)
			end
			return { system = name, spec = spec }
		end
	end
	names.lib = library_loader(ref, env, used)
	return env
end

-- Load the recipe of ref = { repo_path, category, pn, pvr }. Raises a table { what, code, message } that names
-- file and line. `known` (optional): DIST lines as px.manifest gives them, in place of the package's Manifest.
function recipe.load(ref, known)
	local r = { ref = ref, libs = {} }
	paths(r, ref)
	r.text = read(r.path, "recipe")
	local result = run_chunk(r.path, r.text, environment(ref, r.libs))
	if type(result) ~= "table" or not result.system then
		fail(r.path, ": a recipe returns a build system with its fields: return autotools { … }")
	end
	r.system = require("systems." .. result.system)
	r.own = result.spec
	r.spec = schema.over(result.spec, r.system.defaults or {})
	if r.system.extend then
		r.spec = schema.over(r.spec, r.system.extend(r.spec))
	end
	r.manifest = known or px.manifest(r.dir .. "/Manifest")
	check(r)
	return r
end

-- Its conditional dependencies and the like, as PMS prints them.
function recipe.pms(r, field)
	return guard(r, field, expr.pms, r.spec[field])
end

return recipe
