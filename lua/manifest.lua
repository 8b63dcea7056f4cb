-- manifest: the DIST lines of a package's Manifest (GLEP 74).
local px = require("px")

local manifest = {}

-- { [file name] = { size =, BLAKE2B =, SHA512 = } } of the text; other lines are left alone.
function manifest.parse(text)
	local files = {}
	for line in text:gmatch("[^\n]+") do
		local name, size, rest = line:match("^DIST (%S+) (%d+)(.*)$")
		if name then
			files[name] = { size = tonumber(size) }
			for algorithm, hex in rest:gmatch(" (%S+) (%x+)") do
				files[name][algorithm] = hex:lower()
			end
		end
	end
	return files
end

-- The same of a file; a missing one has no lines.
function manifest.read(path)
	return manifest.parse(px.fs.read(path) or "")
end

return manifest
