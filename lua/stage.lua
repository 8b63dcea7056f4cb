-- stage: evaluate a stage file (docs/internals.md) for one host and one EPREFIX.
local expand = require("expand")
local px = require("px")

local stage = {}

local FIELDS = {
	name = "string", title = "string", root = "string", broots = "table", host_tools = "boolean", packages = "table",
	use = "table", needs = "table", tools = "table",
}
local REQUIRED = { "name", "root", "broots", "packages", "tools" }

local function fail(which, message)
	error({ what = "stage.invalid", code = px.ERR_FAILED, message = ("stages %s: %s"):format(which, message) }, 0)
end

-- The function of a stage file: an embedded one by its name, any other by its path.
local function load_file(which)
	if not which:find("/", 1, true) then
		return require("stages." .. which)
	end
	local text = px.fs.read(which) or fail(which, "no such file")
	local names = { string = string, table = table, math = math, ipairs = ipairs, pairs = pairs, error = error,
		tostring = tostring, tonumber = tonumber, type = type }
	local chunk, wrong = load(text, "@" .. which, "t", names)
	return chunk and chunk() or fail(which, wrong)
end

local function check(which, s, i)
	for name, value in pairs(s) do
		if FIELDS[name] == nil then
			fail(which, ("stage %s has an unknown field '%s'"):format(s.name or i, tostring(name)))
		elseif type(value) ~= FIELDS[name] then
			fail(which, ("stage %s: %s must be a %s"):format(s.name or i, name, FIELDS[name]))
		end
	end
	for _, name in ipairs(REQUIRED) do
		if s[name] == nil then
			fail(which, ("stage %s has no '%s'"):format(s.name or i, name))
		end
	end
end

local serialise

local function serialise_table(value)
	local names, out = {}, {}
	for name in pairs(value) do
		names[#names + 1] = name
	end
	table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
	for i, name in ipairs(names) do
		out[i] = ("%s=%s"):format(name, serialise(value[name]))
	end
	return "{" .. table.concat(out, ",") .. "}"
end

-- A value as text that is the same whenever the value is.
function serialise(value)
	return type(value) == "table" and serialise_table(value) or ("%q"):format(value)
end

-- The stages of a file, complete and expanded; tools_text of each is all of its tools as text, for the key.
function stage.list(which, facts, options, eprefix)
	local ok, list = pcall(load_file(which), facts, options or {})
	if not ok then
		fail(which, tostring(list))
	end
	local vars = { EPREFIX = eprefix, CHOST = facts.chost }
	for i, s in ipairs(list) do
		check(which, s, i)
		ok, s = pcall(expand.deep, s, vars)
		if not ok then
			fail(which, tostring(s))
		end
		s.use, s.needs, s.host_tools, s.title = s.use or {}, s.needs or {}, s.host_tools or false, s.title or s.name
		s.tools_text = serialise(s.tools)
		list[i] = s
	end
	return list
end

-- The tools of one stage. "emerge" works with those of the last stage that fills EPREFIX itself.
function stage.tools(which, facts, options, eprefix, name)
	local last
	for _, s in ipairs(stage.list(which, facts, options, eprefix)) do
		if s.name == name then
			return s.tools
		end
		last = s.root == eprefix and s.tools or last
	end
	return last or fail(which, ("no stage '%s', and none that fills %s"):format(name, eprefix))
end

return stage
