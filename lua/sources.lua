-- sources: what a recipe downloads, as files with their URIs, alternatives and unpack notes.
local expr = require("expr")

local sources = {}

-- What may stand beside a URI: unpack = false leaves the archive alone; nested names the archive inside it that is
-- meant; strip, into, only and except say what lands where (core/unpack.h).
local NOTES = {
	nested = "string", strip = "number", into = "string", unpack = "boolean", only = "table", except = "table",
}

-- "URI -> NAME" or "URI": the address and the name in DISTDIR.
function sources.parse(text)
	local uri, name = text:match("^%s*(%S+)%s+%->%s+(%S+)%s*$")
	uri = uri or text:match("^%s*(%S+)%s*$")
	if not uri then
		error(("source '%s' is not 'URI' or 'URI -> NAME'"):format(text), 0)
	end
	name = name or uri:match("([^/]+)$")
	if not name or name:find("[/?]") then
		error(("source '%s' needs a file name: '%s -> NAME'"):format(text, uri), 0)
	end
	return uri, name
end

local function check_notes(item)
	for key, value in pairs(item) do
		if key ~= 1 and (not NOTES[key] or type(value) ~= NOTES[key]) then
			error(("source '%s' has an unknown note %s = %s"):format(tostring(item[1]), tostring(key), tostring(value)), 0)
		end
	end
end

local function file_of(item)
	local file = type(item) == "table" and item or { item }
	if type(file[1]) ~= "string" then
		error("a source is a string or { \"URI\", note = … }", 0)
	end
	check_notes(file)
	local uri, name = sources.parse(file[1])
	return {
		name = name, uris = { uri }, nested = file.nested, strip = file.strip or 1, into = file.into,
		only = file.only, except = file.except, unpack = file.unpack ~= false,
	}
end

-- One source from its alternatives; those of one file name are one file with several URIs.
local function group(items)
	local files, by_name = {}, {}
	for _, item in ipairs(items) do
		local file = file_of(item)
		local known = by_name[file.name]
		if known then
			table.insert(known.uris, file.uris[1])
		else
			by_name[file.name] = file
			files[#files + 1] = file
		end
	end
	return { alternatives = files }
end

local function collect(item, flags, out)
	if type(item) == "string" or (not expr.is_node(item) and type(item) == "table" and type(item[1]) == "string") then
		out[#out + 1] = group({ item })
	elseif not expr.is_node(item) then
		for _, inner in ipairs(item) do
			collect(inner, flags, out)
		end
	elseif item.tag == "any" then
		out[#out + 1] = group(item.items)
	elseif item.tag == "cond" then
		if flags == nil or (flags[item.flag] or false) ~= (item.neg or false) then
			for _, inner in ipairs(item.items) do
				collect(inner, flags, out)
			end
		end
	else
		error(("%s cannot stand among sources"):format(item.tag), 0)
	end
end

-- The sources that the flags (a set; nil: all there are) ask for, in order:
-- { { alternatives = { { name, uris, nested, strip, into, unpack }, … } }, … }
function sources.list(value, flags)
	local out = {}
	for _, item in ipairs(value or {}) do
		collect(item, flags, out)
	end
	return out
end

-- The same of a loaded recipe for the fetcher: lists of { name, uris, size, BLAKE2B, SHA512 }, use space separated.
function sources.for_fetch(r, use)
	local flags = {}
	for flag in (use or ""):gmatch("%S+") do
		flags[flag] = true
	end
	local out = {}
	for i, source in ipairs(sources.list(r.spec.sources, flags)) do
		out[i] = {}
		for j, file in ipairs(source.alternatives) do
			local listed = r.manifest[file.name]
			out[i][j] = {
				name = file.name, uris = file.uris, size = listed.size, BLAKE2B = listed.BLAKE2B, SHA512 = listed.SHA512,
			}
		end
	end
	return out
end

local print_item

local function print_file(item, out)
	local uri, name = sources.parse(type(item) == "table" and item[1] or item)
	out[#out + 1] = uri
	if uri:match("([^/]+)$") ~= name then
		out[#out + 1] = "-> " .. name
	end
end

function print_item(item, out)
	if type(item) == "string" or (not expr.is_node(item) and type(item[1]) == "string") then
		print_file(item, out)
	elseif not expr.is_node(item) then
		for _, inner in ipairs(item) do
			print_item(inner, out)
		end
	elseif item.tag == "any" then
		for _, inner in ipairs(item.items) do
			print_item(inner, out)
		end
	else
		out[#out + 1] = (item.neg and "!" or "") .. item.flag .. "? ("
		for _, inner in ipairs(item.items) do
			print_item(inner, out)
		end
		out[#out + 1] = ")"
	end
end

-- SRC_URI as PMS writes it: every alternative is listed.
function sources.pms(value)
	local out = {}
	for _, item in ipairs(value or {}) do
		print_item(item, out)
	end
	return table.concat(out, " ")
end

return sources
