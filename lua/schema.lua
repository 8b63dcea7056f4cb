-- schema: the fields a recipe may have, what each holds, and which of them add up along system, library, recipe.
local schema = {}

-- Every key is a field; the value says what it holds:
--   text     one string               words    string or list of strings, printed with blanks between
--   expr     conditional list         sources  list of sources          list     list of strings
--   options  list or map              map      names to strings
schema.FIELDS = {
	DESCRIPTION = "text", HOMEPAGE = "words", LICENSE = "expr", SLOT = "text", KEYWORDS = "words", IUSE = "words",
	REQUIRED_USE = "expr", RESTRICT = "expr", PROPERTIES = "expr",
	DEPEND = "expr", RDEPEND = "expr", BDEPEND = "expr", PDEPEND = "expr", IDEPEND = "expr",
	sources = "sources", patches = "list", subdir = "text", in_source = "boolean", options = "options", env = "map",
	mem = "number", merged_usr = "boolean", autoreconf = "boolean", make_args = "options",
}

schema.REQUIRED = { "DESCRIPTION", "LICENSE" }

schema.ADDITIVE = {
	IUSE = true, REQUIRED_USE = true, DEPEND = true, RDEPEND = true, BDEPEND = true, PDEPEND = true, IDEPEND = true,
}

-- In the order of PMS ch. 9.
schema.PHASES = { "unpack", "prepare", "configure", "compile", "test", "install" }

for _, phase in ipairs(schema.PHASES) do
	schema.FIELDS[phase] = "function"
end

local function is_list(value)
	return type(value) == "table" and (next(value) == nil or value[1] ~= nil)
end

local function is_map(value)
	if type(value) ~= "table" then
		return false
	end
	for name in pairs(value) do
		if type(name) ~= "string" then
			return false
		end
	end
	return true
end

local function is_words(value)
	if type(value) == "string" then
		return true
	elseif type(value) ~= "table" then
		return false
	end
	for _, word in ipairs(value) do
		if type(word) ~= "string" then
			return false
		end
	end
	return true
end

local KINDS = {
	text = { "a string", function(v) return type(v) == "string" end },
	words = { "a string or a list of strings", is_words },
	expr = { "a string or a list", function(v) return type(v) == "string" or type(v) == "table" end },
	sources = { "a list", is_list },
	list = { "a list", is_list },
	options = { "a list or a map", function(v) return type(v) == "table" or type(v) == "function" end },
	map = { "a table of names", is_map },
	number = { "a number", function(v) return type(v) == "number" end },
	boolean = { "true or false", function(v) return type(v) == "boolean" end },
	["function"] = { "a function", function(v) return type(v) == "function" end },
}

-- The nearest known field, for a misspelt one: same letters but for case, or one edit away.
local function suggest(name)
	local function key(s)
		return s:lower():gsub("[_s]", "")
	end
	for _, field in ipairs(schema.names()) do
		if key(field) == key(name) then
			return (" (did you mean %s?)"):format(field)
		end
	end
	return ""
end

function schema.names()
	local names = {}
	for name in pairs(schema.FIELDS) do
		names[#names + 1] = name
	end
	table.sort(names)
	return names
end

-- nil, or what is wrong with field `name` of a recipe and the field's name.
function schema.check_field(name, value)
	local kind = KINDS[schema.FIELDS[name]]
	if type(name) ~= "string" then
		return ("unexpected item %s: every field has a name"):format(tostring(name))
	elseif not kind then
		return ("unknown field '%s'%s"):format(name, suggest(name))
	elseif not kind[2](value) then
		return ("%s must be %s, not %s"):format(name, kind[1], type(value))
	end
	return nil
end

-- nil, or the first thing wrong with the spec and the field it is in. Sorted, so that the answer is always the same.
function schema.check(spec)
	local names = {}
	for name in pairs(spec) do
		names[#names + 1] = name
	end
	table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
	for _, name in ipairs(names) do
		local wrong = schema.check_field(name, spec[name])
		if wrong then
			return wrong, name
		end
	end
	for _, name in ipairs(schema.REQUIRED) do
		if spec[name] == nil then
			return ("%s is missing"):format(name)
		end
	end
	return nil
end

local function as_list(value)
	if value == nil then
		return {}
	end
	return type(value) == "table" and getmetatable(value) == nil and value or { value }
end

local function add_up(name, first, second)
	if schema.FIELDS[name] == "words" then
		return table.concat(as_list(first), " ") .. " " .. table.concat(as_list(second), " ")
	end
	local sum = {}
	for _, part in ipairs({ as_list(first), as_list(second) }) do
		table.move(part, 1, #part, #sum + 1, sum)
	end
	return sum
end

-- spec over shared: dependencies and flags add up (shared first), a phase may call the shared one as its
-- `super`, everything else overrides. Neither table is changed.
function schema.over(spec, shared)
	local result = {}
	for name, value in pairs(shared) do
		result[name] = value
	end
	for name, value in pairs(spec) do
		local base = shared[name]
		if schema.ADDITIVE[name] and base ~= nil then
			result[name] = add_up(name, base, value)
		elseif schema.FIELDS[name] == "function" and base ~= nil then
			result[name] = function(b, super)
				return value(b, function(inner) return base(inner, super) end)
			end
		else
			result[name] = value
		end
	end
	return result
end

return schema
