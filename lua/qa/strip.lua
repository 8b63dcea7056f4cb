-- strip: symbols and debugging data that nobody asked for leave the image.
local px = require("px")

local strip = {}

local function flag_for(b, path)
	local at = b.ed .. "/" .. path
	if path:find("%.a$") then
		-- Some are text for the linker (glibc's libm.a).
		return px.fs.head(at):sub(1, 7) == "!<arch>" and "--strip-debug" or nil
	end
	local elf = px.elf(at)
	if elf and elf.type == "rel" then
		return path:find("%.k?o$") and "--strip-debug" or nil
	end
	return elf and "--strip-unneeded" or nil
end

-- Hard links stay one file: the first name is stripped, the others are made anew when strip replaced it.
local function relink(b, names)
	for i = 2, #names do
		local first, other = b.ed .. "/" .. names[1], b.ed .. "/" .. names[i]
		if px.fs.stat(first).ino ~= px.fs.stat(other).ino then
			px.fs.link(first, other)
		end
	end
end

local function by_inode(b)
	local list, seen = {}, {}
	for _, entry in ipairs(px.fs.walk(b.ed)) do
		if entry.type == "file" then
			local names = seen[entry.ino]
			if names then
				names[#names + 1] = entry.path
			else
				seen[entry.ino] = { entry.path }
				list[#list + 1] = seen[entry.ino]
			end
		end
	end
	return list
end

-- Strip programs, shared objects, object files and static libraries, unless the recipe says RESTRICT = "strip".
function strip.run(b)
	if (" " .. b.restrict .. " "):find(" strip ", 1, true) or not b:which("$STRIP") then
		return
	end
	for _, names in ipairs(by_inode(b)) do
		local path = b.ed .. "/" .. names[1]
		local flag = flag_for(b, names[1])
		if flag then
			local mode = px.fs.stat(path).mode
			px.fs.chmod(path, mode | 128)
			if b:try({ "$STRIP", flag, (path:gsub("%$", "$$")) }) ~= 0 then
				b:warn("could not strip " .. names[1]:gsub("%$", "$$"))
			end
			px.fs.chmod(path, mode)
			relink(b, names)
		end
	end
end

return strip
