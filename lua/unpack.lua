-- unpack: sources from DISTDIR into work/src, by their notes (docs/internals.md).
local px = require("px")
local sources = require("sources")

local unpack = {}

-- The alternative that could be had: the first one that is in DISTDIR with the size its Manifest states.
local function chosen(b, source)
	for _, file in ipairs(source.alternatives) do
		local path = b.distdir .. "/" .. file.name
		local st = px.fs.stat_follow(path)
		local listed = b.recipe.manifest[file.name]
		if st and listed and st.size == listed.size then
			return file, path
		end
	end
	error({
		what = "unpack.missing", code = px.ERR_SOURCE,
		message = ("%s is not in %s; fetch it first"):format(source.alternatives[1].name, b.distdir),
	}, 0)
end

local function unpack_one(b, file, path)
	local to = file.into and b.src .. "/" .. b:expand(file.into) or b.src
	px.fs.mkdirs(to)
	px.archive.unpack(path, to, { strip = file.strip, nested = file.nested, only = file.only, except = file.except })
end

-- Fill work/src with every source that these USE flags ask for.
function unpack.all(b)
	for _, source in ipairs(sources.list(b.spec.sources, b.flags)) do
		local file, path = chosen(b, source)
		if file.unpack then
			b:log("unpacking " .. file.name:gsub("%$", "$$"))
			unpack_one(b, file, path)
		end
	end
end

return unpack
