-- record: the fields of a package's entry in the database of installed packages (portage-formats §3.3).
local expr = require("expr")
local px = require("px")

local record = {}

local RESOLVED = { "BDEPEND", "DEPEND", "IDEPEND", "LICENSE", "PDEPEND", "PROPERTIES", "RDEPEND", "RESTRICT" }
local FLAGS = { "ASFLAGS", "CBUILD", "CC", "CFLAGS", "CHOST", "CPPFLAGS", "CTARGET", "CXX", "CXXFLAGS", "LDFLAGS" }

-- The field of a recipe as PMS text with its USE conditionals resolved by these flags.
function record.resolved(r, field, flags)
	local value = r.spec[field]
	return value and expr.pms(expr.resolve(value, flags)) or ""
end

local function inherited(r)
	local names = { r.system.name }
	for _, library in ipairs(r.libs) do
		names[#names + 1] = library.name
	end
	return table.concat(names, " ")
end

-- IUSE without its defaults, sorted.
local function effective(iuse)
	local names = {}
	for word in (iuse or ""):gmatch("%S+") do
		names[#names + 1] = word:gsub("^[+-]", "", 1)
	end
	table.sort(names)
	return table.concat(names, " ")
end

-- One-line fields; COUNTER, CONTENTS, SIZE and what only the merge knows are not among them. Slot operators in
-- *DEPEND are still bare.
function record.fields(b)
	local r = b.recipe
	local fields = {
		EAPI = "8", SLOT = b.slot, CATEGORY = b.category, PF = b.pf, EPREFIX = b.eprefix,
		DESCRIPTION = r.spec.DESCRIPTION, HOMEPAGE = r.spec.HOMEPAGE or "", KEYWORDS = r.spec.KEYWORDS or "",
		IUSE = r.spec.IUSE or "", USE = b.job.use or "", DEFINED_PHASES = "-", repository = b.job.repo,
		INHERITED = inherited(r), IUSE_EFFECTIVE = effective(r.spec.IUSE),
	}
	for _, name in ipairs(RESOLVED) do
		fields[name] = record.resolved(r, name, b.flags)
	end
	for _, name in ipairs(FLAGS) do
		fields[name] = b.env[name] or b.vars[name] or ""
	end
	fields.CHOST, fields.CBUILD = b.chost, b.cbuild
	fields.CTARGET = b.ctarget ~= b.chost and b.ctarget or ""
	return fields
end

-- Fields that are files of their own bytes: the objects' needs, written after the installation, and the recipe.
function record.files(b)
	local files = { [b.pf .. ".ebuild"] = b.recipe.text }
	for _, name in ipairs({ "NEEDED", "NEEDED.ELF.2", "PROVIDES", "REQUIRES" }) do
		files[name] = px.fs.read(b.workdir .. "/record/" .. name)
	end
	return files
end

-- Note what only the finished image shows.
function record.note(b, needed)
	px.fs.remove(b.workdir .. "/record")
	px.fs.mkdirs(b.workdir .. "/record")
	for name, text in pairs(needed or {}) do
		px.fs.write(b.workdir .. "/record/" .. name, text, 420)
	end
end

return record
