-- meta: a recipe's metadata in the md5-cache format of ebuild repositories, with what our planner needs besides.
local px = require("px")
local recipe = require("recipe")
local schema = require("schema")
local sources = require("sources")

local meta = {}

local PRINTED = {
	"BDEPEND", "DEPEND", "DESCRIPTION", "HOMEPAGE", "IDEPEND", "IUSE", "KEYWORDS", "LICENSE", "PDEPEND", "PROPERTIES",
	"RDEPEND", "REQUIRED_USE", "RESTRICT", "SLOT",
}

local function defined_phases(r)
	local names = {}
	for _, phase in ipairs(schema.PHASES) do
		if r.spec[phase] or r.system[phase] then
			names[#names + 1] = phase
		end
	end
	table.sort(names)
	return #names > 0 and table.concat(names, " ") or "-"
end

local function inherit(r)
	local names = { r.system.name }
	for _, library in ipairs(r.libs) do
		names[#names + 1] = library.name
	end
	table.sort(names)
	return table.concat(names, " ")
end

local function eclasses(r)
	local parts = {}
	for _, library in ipairs(r.libs) do
		parts[#parts + 1] = library.name .. "\t" .. px.digest("md5", library.text)
	end
	table.sort(parts)
	return table.concat(parts, "\t")
end

-- Files of files/ that the recipe uses: all when a phase names the directory, else its patches.
local function used_files(r)
	local text = r.text
	for _, library in ipairs(r.libs) do
		text = text .. library.text
	end
	if not text:lower():find("filesdir", 1, true) then
		return r.spec.patches or {}
	end
	local names = {}
	for _, entry in ipairs(px.fs.is_dir(r.filesdir) and px.fs.walk(r.filesdir) or {}) do
		if entry.type == "file" then
			names[#names + 1] = entry.path
		end
	end
	return names
end

-- SHA-256 over everything of the package's own that decides how it builds: recipe, libraries, system, used files.
-- Sources are not in it: the key has their checksums.
function meta.digest(r)
	local parts = { r.text, px.engine("systems/" .. r.system.name .. ".lua") or "" }
	for _, library in ipairs(r.libs) do
		parts[#parts + 1] = library.text
	end
	for _, name in ipairs(used_files(r)) do
		parts[#parts + 1] = name
		parts[#parts + 1] = px.fs.read(r.filesdir .. "/" .. name) or ""
	end
	for i, part in ipairs(parts) do
		parts[i] = ("%d:%s"):format(#part, part)
	end
	return px.digest("sha256", table.concat(parts))
end

-- KEY=value lines, sorted, empty values left out; keys between underscores are the cache's own.
function meta.text(r)
	local values = {
		EAPI = "8", DEFINED_PHASES = defined_phases(r), INHERIT = inherit(r), SRC_URI = sources.pms(r.spec.sources),
		_md5_ = px.digest("md5", r.text), _eclasses_ = eclasses(r), _digest_ = meta.digest(r),
		_mem_ = r.spec.mem and tostring(r.spec.mem) or "",
	}
	for _, name in ipairs(PRINTED) do
		if r.spec[name] ~= nil then
			values[name] = recipe.pms(r, name)
		end
	end
	local lines = {}
	for name, value in pairs(values) do
		if value ~= "" then
			lines[#lines + 1] = ("%s=%s\n"):format(name, value)
		end
	end
	table.sort(lines)
	return table.concat(lines)
end

return meta
