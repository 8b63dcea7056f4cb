-- patch: the recipe's patches and the user's, applied by the patch program.
local px = require("px")
local files = require("files")

local patch = {}

-- Names of the files that a unified diff changes, with -p1.
local function touched(text)
	local names = {}
	for name in ("\n" .. text):gmatch("\n%+%+%+ ([^\t\n]+)") do
		names[#names + 1] = name:match("^[^/]*/(.+)$")
	end
	return names
end

-- Apply one file with -p1 in S. What it changes keeps its time, so that make does not regenerate shipped files.
local function apply(b, path)
	local text = px.fs.read(path)
	if not text then
		b:die("no such patch: " .. path:gsub("%$", "$$"))
	end
	local before = {}
	for _, name in ipairs(touched(text)) do
		before[name] = px.fs.stat(b.s .. "/" .. name)
	end
	b:log("applying " .. path:match("[^/]+$"):gsub("%$", "$$"))
	b:run({ "patch", "-p1", "-N", "-f", "-s", "--no-backup-if-mismatch", "-i", (path:gsub("%$", "$$")), cwd = "$S" })
	for name, st in pairs(before) do
		if px.fs.exists(b.s .. "/" .. name) then
			px.fs.utime(b.s .. "/" .. name, st.mtime, st.mtime_ns)
		end
	end
end

-- The recipe's own, from files/.
function patch.own(b)
	for _, name in ipairs(b.spec.patches or {}) do
		apply(b, b.filesdir .. "/" .. name)
	end
end

-- Directories where the user's patches for this package may be, from least to most specific (Portage's order).
local function user_dirs(b)
	local root = ("%s/etc/portage/patches/%s/"):format(b.target, b.category)
	local slot = b.slot:match("^[^/]*")
	local dirs = {}
	for _, name in ipairs({ b.pn, b.p, b.pf }) do
		if dirs[#dirs] ~= root .. name .. ":" .. slot then
			dirs[#dirs + 1] = root .. name
			dirs[#dirs + 1] = root .. name .. ":" .. slot
		end
	end
	return dirs
end

-- The user's: EPREFIX/etc/portage/patches/<cat>/<pn|p|pf>[:slot]/*.patch and *.diff, by name; a more specific
-- directory replaces a patch of the same name.
function patch.user(b)
	local by_name, names = {}, {}
	for _, dir in ipairs(user_dirs(b)) do
		for _, suffix in ipairs({ "patch", "diff" }) do
			for _, path in ipairs(files.glob(dir .. "/*." .. suffix)) do
				local name = path:match("[^/]+$")
				names[#names + 1] = not by_name[name] and name or nil
				by_name[name] = path
			end
		end
	end
	table.sort(names)
	for _, name in ipairs(names) do
		apply(b, by_name[name])
	end
end

return patch
