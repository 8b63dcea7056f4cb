-- shebang: scripts of the prefix are run by the prefix's interpreters.
local px = require("px")

local shebang = {}

local HOST_DIRS = {
	["/bin"] = true, ["/usr/bin"] = true, ["/usr/local/bin"] = true, ["/sbin"] = true, ["/usr/sbin"] = true,
}

-- The first line of a script with its interpreter in the prefix, or nil when it is right as it is. prefix: where
-- the interpreters are; build: another root whose interpreters (the builder's) must not be named, or nil.
function shebang.line(line, prefix, build)
	local space, interpreter, rest = line:match("^#!([ \t]*)(/%S*)(.*)$")
	if not interpreter then
		return nil
	end
	local dir, name = interpreter:match("^(.*)/([^/]+)$")
	local of_builder = build and dir == build .. "/usr/bin"
	if not HOST_DIRS[dir] and not of_builder then
		return nil
	end
	local where = name == "sh" and "/bin/" or "/usr/bin/"
	return "#!" .. space .. prefix .. where .. name .. rest
end

local function rewrite(b, path, st)
	local text = px.fs.read(path)
	local first, rest = text:match("^(#![^\n]*)(.*)$")
	local changed = first and shebang.line(first, b.eprefix, b.target .. "/tmp")
	if changed then
		px.fs.write(path, changed .. rest, st.mode)
		px.fs.utime(path, st.mtime, st.mtime_ns)
	end
end

-- Rewrite the first line of every executable script in the image.
function shebang.run(b)
	if not b.tools.shebangs then
		return
	end
	for _, entry in ipairs(px.fs.walk(b.ed)) do
		if entry.type == "file" and entry.mode & 73 ~= 0 and entry.size > 2 then
			rewrite(b, b.ed .. "/" .. entry.path, px.fs.stat(b.ed .. "/" .. entry.path))
		end
	end
end

return shebang
