-- gnuconfig: old copies of config.sub and config.guess do not know young machines; newer ones take their place.
local px = require("px")
local files = require("files")

local gnuconfig = {}

local function timestamp(path)
	local text = px.fs.read(path)
	return text and text:match("timestamp='([%d-]+)'") or ""
end

-- Where newer copies may be: packages of the prefix, then, where the stage may use the host's tools, the host's.
local function places(b)
	local dirs = {}
	for _, root in ipairs({ b.eprefix, b.target, b.target .. "/tmp" }) do
		dirs[#dirs + 1] = root .. "/usr/share/gnuconfig"
		table.move(files.glob(root .. "/usr/share/automake-*"), 1, 9, #dirs + 1, dirs)
	end
	if not b.tools.leaks then
		dirs[#dirs + 1] = "/usr/share/misc"
		table.move(files.glob("/usr/share/automake-*"), 1, 9, #dirs + 1, dirs)
	end
	return dirs
end

local function newest(b, name)
	local best, best_time = nil, ""
	for _, dir in ipairs(places(b)) do
		local time = timestamp(dir .. "/" .. name)
		if time > best_time then
			best, best_time = dir .. "/" .. name, time
		end
	end
	return best, best_time
end

local function knows(b, config_sub)
	return b:try({ "$CONFIG_SHELL", (config_sub:gsub("%$", "$$")), "$CHOST" }) == 0
end

-- Replace both scripts wherever the source's config.sub does not know CHOST, and say so when there is no newer one.
function gnuconfig.refresh(b)
	for _, entry in ipairs(px.fs.walk(b.s)) do
		local dir = entry.type == "file" and entry.path:match("^(.-)/?config%.sub$")
		if dir and not knows(b, b.s .. "/" .. entry.path) then
			for _, name in ipairs({ "config.sub", "config.guess" }) do
				local at = b.s .. "/" .. (dir == "" and "" or dir .. "/") .. name
				local copy, time = newest(b, name)
				if copy and time > timestamp(at) then
					px.fs.copy(copy, at)
				else
					b:warn(("%s does not know %s, and no newer copy is at hand"):format(at:gsub("%$", "$$"), b.chost))
				end
			end
		end
	end
end

return gnuconfig
