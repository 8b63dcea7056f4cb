-- expand: $NAME and ${NAME} in the strings of recipes and stage files. $$ is a dollar sign.
local expand = {}

-- What recipes may name while they load; phases know these too.
expand.LOAD = { "PN", "PV", "P", "PR", "PVR", "PF", "CATEGORY", "MAJOR", "MINOR", "SLOT" }
expand.PHASE = {
	"EPREFIX", "TARGET", "CHOST", "CBUILD", "CTARGET", "D", "ED", "S", "BUILD", "WORKDIR", "T", "FILESDIR", "DISTDIR",
	"JOBS",
}

-- The tool names every stage knows, with what they are when the stage does not say.
expand.TOOLS = {
	CC = "cc", CXX = "c++", CPP = "", AR = "ar", AS = "as", LD = "ld", NM = "nm", RANLIB = "ranlib", STRIP = "strip",
	OBJCOPY = "objcopy", OBJDUMP = "objdump", READELF = "readelf", MAKE = "make", NINJA = "ninja", CMAKE = "cmake",
	MESON = "meson", PYTHON = "python3", PERL = "perl", SHELL = "/bin/sh", CONFIG_SHELL = "/bin/sh",
	BUILD_CC = "cc", BUILD_CXX = "c++", HOST_CC = "cc", HOST_CXX = "c++", PKG_CONFIG = "pkg-config", MAKEINFO = "makeinfo",
	CFLAGS = "-O2 -pipe", CXXFLAGS = "-O2 -pipe", CPPFLAGS = "", LDFLAGS = "",
}

-- The upper-case name that stands behind a dollar sign, and what follows it; nil when there is none.
local function name_of(found)
	local braced = found:match("^{([A-Z][A-Z0-9_]*)}$")
	if braced then
		return braced, ""
	end
	return found:match("^([A-Z][A-Z0-9_]*)(.*)$")
end

local function strict(found, vars)
	if found:sub(1, 1) == "$" then
		return found
	end
	local name, rest = name_of(found)
	if not name then
		return "$" .. found
	end
	return (vars[name] or error(("unknown $%s (write $$ for a dollar sign)"):format(name), 0)) .. rest
end

local function lenient(found, vars)
	local escaped = found:sub(1, 1) == "$"
	local name, rest = name_of(escaped and found:sub(2) or found)
	if not name or vars[name] == nil then
		return "$" .. found
	end
	return escaped and found or vars[name] .. rest
end

local function each_dollar(text, vars, replace)
	return (text:gsub("%$(%$?{?[%w_]*}?)", function(found)
		if found:sub(-1) == "}" and not found:find("{", 1, true) then
			return replace(found:sub(1, -2), vars) .. "}"
		end
		return replace(found, vars)
	end))
end

-- text with every $NAME replaced from vars (strings); an unknown upper-case name is an error. Lower-case
-- names belong to makefiles and shells and stay as they are.
function expand.text(text, vars)
	return each_dollar(text, vars, strict)
end

-- The same for the content of files, where dollar signs mean other things: only known names are replaced, $$ is
-- one dollar sign only in front of a known name.
function expand.content(text, vars)
	return each_dollar(text, vars, lenient)
end

-- The same through nested tables: a copy with every string expanded. Functions and nodes' tags are kept.
function expand.deep(value, vars)
	if type(value) == "string" then
		return expand.text(value, vars)
	elseif type(value) ~= "table" then
		return value
	end
	local copy = setmetatable({}, getmetatable(value))
	for k, v in pairs(value) do
		copy[k] = (k == "tag" or k == "flag") and v or expand.deep(v, vars)
	end
	return copy
end

-- The variables known while a recipe loads, from its place in the repository.
function expand.load_vars(ref)
	local pv, rev = ref.pvr:match("^(.*)%-(r%d+)$")
	pv, rev = pv or ref.pvr, rev or "r0"
	local major, minor = pv:match("^(%d+)%.?(%d*)")
	return {
		PN = ref.pn, PV = pv, P = ref.pn .. "-" .. pv, PR = rev, PVR = ref.pvr, PF = ref.pn .. "-" .. ref.pvr,
		CATEGORY = ref.category, MAJOR = major or pv, MINOR = minor ~= "" and minor or "0",
	}
end

return expand
