-- mask: what the user wants nowhere (INSTALL_MASK; FEATURES=nodoc, noinfo, noman) leaves the image before it is merged.
local px = require("px")
local glob = require("glob")

local mask = {}

local FEATURES = { nodoc = "/usr/share/doc", noinfo = "/usr/share/info", noman = "/usr/share/man" }

-- The words as rules, of which the last that fits decides: "-" in front keeps a path, "/" in front means the whole path or
-- a directory above it, anything else the name alone (Portage's InstallMask).
local function rules(words)
	local out = {}
	for word in words:gmatch("%S+") do
		local text = word:gsub("^%-", "")
		local rule = { keep = word:sub(1, 1) == "-" }
		if text:sub(1, 1) == "/" then
			rule.path = glob.pattern((text:sub(2):gsub("/+$", "")))
			rule.below = glob.pattern(text:sub(2):gsub("/+$", "") .. "/*")
		else
			rule.name = glob.pattern(text)
		end
		out[#out + 1] = rule
	end
	return out
end

local function masked(list, path)
	local result = false
	for _, rule in ipairs(list) do
		local fits
		if rule.name then
			fits = path:match("[^/]+$"):match(rule.name)
		else
			fits = path:match(rule.path) or path:match(rule.below)
		end
		if fits then
			result = not rule.keep
		end
	end
	return result
end

-- What of those paths (relative to the prefix) goes, by these words.
function mask.select(words, paths)
	local list, out = rules(words), {}
	for _, path in ipairs(paths) do
		out[#out + 1] = masked(list, path) and path or nil
	end
	return out
end

local function words_of(b)
	local conf = b.job.conf or {}
	local words = { conf.INSTALL_MASK or "" }
	for feature in (conf.FEATURES or ""):gmatch("%S+") do
		words[#words + 1] = FEATURES[feature]
	end
	return table.concat(words, " ")
end

function mask.run(b)
	local words = words_of(b)
	if not words:match("%S") then
		return
	end
	local types, paths = {}, {}
	for _, entry in ipairs(px.fs.walk(b.ed)) do
		types[entry.path], paths[#paths + 1] = entry.type, entry.path
	end
	local chosen = mask.select(words, paths)
	-- From the end: what is in a directory comes behind it, and only empty ones go.
	for i = #chosen, 1, -1 do
		local at = b.ed .. "/" .. chosen[i]
		if types[chosen[i]] ~= "dir" or #px.fs.list(at) == 0 then
			px.fs.remove(at)
		end
	end
	b:log(("%d files and directories left out by INSTALL_MASK"):format(#chosen))
end

return mask
