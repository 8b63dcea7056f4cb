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

local function replace(found, vars)
	local braced = found:match("^{([A-Z][A-Z0-9_]*)}$")
	if found:sub(1, 1) == "$" then
		return found
	elseif found:sub(1, 1) == "{" and not braced then
		return "$" .. found
	end
	local name = braced or found:match("^[A-Z][A-Z0-9_]*")
	if not name then
		return "$" .. found
	end
	local value = vars[name]
	if value == nil then
		error(("unknown $%s (write $$ for a dollar sign)"):format(name), 0)
	end
	return value .. (braced and "" or found:sub(#name + 1))
end

-- text with every $NAME replaced from vars (strings); an unknown upper-case name is an error. Lower-case
-- names belong to makefiles and shells and stay as they are.
function expand.text(text, vars)
	return (text:gsub("%$([%$%a{][%w_]*}?)", function(found)
		if found:sub(-1) == "}" and found:sub(1, 1) ~= "{" then
			return replace(found:sub(1, -2), vars) .. "}"
		end
		return replace(found, vars)
	end))
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
