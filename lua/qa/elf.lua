-- elf: what the installed objects need at run time: it must be in the prefix, and the record says it.
local files = require("files")
local px = require("px")

local elf = {}

-- Sorted { path (with EPREFIX), data } of the dynamic objects in the image, which is finished by now.
local function objects(b)
	if b.objects then
		return b.objects
	end
	local list = {}
	for _, entry in ipairs(px.fs.walk(b.ed)) do
		local data = entry.type == "file" and px.elf(b.ed .. "/" .. entry.path)
		if data and data.dynamic then
			list[#list + 1] = { path = b.eprefix .. "/" .. entry.path, data = data }
		end
	end
	b.objects = list
	return list
end

local function split(text)
	local out = {}
	for part in (text or ""):gmatch("[^:]+") do
		out[#out + 1] = part
	end
	return out
end

local function within(path, root)
	return path == root or path:sub(1, #root + 1) == root .. "/"
end

local function in_prefix(b, path)
	return within(path, b.eprefix) or within(path, b.target)
end

-- Names of everything in the image, for libraries that a package brings itself.
local function image_names(b)
	local names = {}
	for _, entry in ipairs(px.fs.walk(b.ed)) do
		names[entry.path:match("[^/]+$")] = true
	end
	return names
end

-- A guest stands on the host's C library: what its loader finds there may be needed.
local function host_dirs(b)
	if not b.tools.guest then
		return {}
	end
	local dirs = { "/lib", "/usr/lib", "/lib64", "/usr/lib64" }
	for _, multiarch in ipairs({ "/lib/*-linux-*", "/usr/lib/*-linux-*" }) do
		local found = files.glob(multiarch)
		table.move(found, 1, #found, #dirs + 1, dirs)
	end
	return dirs
end

local function library_dirs(b, object)
	local dirs = { b.eprefix .. "/usr/lib", b.eprefix .. "/lib", b.target .. "/usr/lib" }
	for _, dir in ipairs(split(object.data.runpath or object.data.rpath)) do
		dirs[#dirs + 1] = dir
	end
	for line in (px.fs.read(b.target .. "/etc/ld.so.conf") or ""):gmatch("[^\n]+") do
		dirs[#dirs + 1] = line
	end
	local host = host_dirs(b)
	return table.move(host, 1, #host, #dirs + 1, dirs)
end

local function is_found(b, object, name, own)
	if name:find("/", 1, true) then
		return in_prefix(b, name)
	elseif own[name] then
		return true
	end
	for _, dir in ipairs(library_dirs(b, object)) do
		if px.fs.exists(dir .. "/" .. name) then
			return true
		end
	end
	return false
end

local function check_object(b, object, own, wrong)
	local function say(text)
		wrong[#wrong + 1] = object.path .. ": " .. text
	end
	local data = object.data
	if b.tools.leaks and not b.tools.guest and data.interp and not in_prefix(b, data.interp) then
		say("its loader " .. data.interp .. " is the host's")
	end
	for _, dir in ipairs(split(data.runpath or data.rpath)) do
		if within(dir, b.workdir) then
			say("its run path names the build directory: " .. dir)
		elseif b.tools.leaks and dir:sub(1, 7) ~= "$ORIGIN" and not in_prefix(b, dir) then
			say("its run path leaves the prefix: " .. dir)
		end
	end
	for _, name in ipairs(b.tools.leaks and data.needed or {}) do
		if not is_found(b, object, name, own) then
			say("needs " .. name .. ", which is not in the prefix")
		end
	end
end

-- Check every dynamic object of the image; with tools.leaks nothing of the host's may be referred to, but for
-- a guest's C library.
function elf.check(b)
	local wrong, own = {}, image_names(b)
	for _, object in ipairs(objects(b)) do
		check_object(b, object, own, wrong)
	end
	if #wrong > 0 then
		error({
			what = "qa.elf", code = px.ERR_BUILD,
			message = ("%d findings in what %s installs:\n%s"):format(#wrong, b.pf,
				table.concat(wrong, "\n", 1, math.min(#wrong, 8))),
		}, 0)
	end
end

local function soname_of(object)
	return object.data.soname or (object.path:find("%.so") and object.path:match("[^/]+$")) or ""
end

-- "x86_64: liba.so.1 libb.so.2 x86_32: …" of { category = { name = true } }.
local function by_category(sets)
	local out, categories = {}, {}
	for category in pairs(sets) do
		categories[#categories + 1] = category
	end
	table.sort(categories)
	for _, category in ipairs(categories) do
		local names = {}
		for name in pairs(sets[category]) do
			names[#names + 1] = name
		end
		table.sort(names)
		out[#out + 1] = category .. ": " .. table.concat(names, " ")
	end
	return #out > 0 and table.concat(out, " ") .. "\n" or nil
end

local function add(sets, category, name)
	sets[category] = sets[category] or {}
	sets[category][name] = true
end

-- PROVIDES and REQUIRES: sonames by multilib category; what the package brings itself it does not require.
local function provides_and_requires(list)
	local provides, requires = {}, {}
	for _, object in ipairs(list) do
		if object.data.multilib and soname_of(object) ~= "" then
			add(provides, object.data.multilib, soname_of(object))
		end
	end
	for _, object in ipairs(list) do
		local category = object.data.multilib
		for _, name in ipairs(category and object.data.needed or {}) do
			if not (provides[category] or {})[name] then
				add(requires, category, name)
			end
		end
	end
	return by_category(provides), by_category(requires)
end

-- The record's NEEDED, NEEDED.ELF.2, PROVIDES and REQUIRES (portage-formats §3.3, §3.7); nil when nothing is dynamic.
function elf.needed(b)
	local short, long, list = {}, {}, objects(b)
	for _, object in ipairs(list) do
		local data = object.data
		local names = table.concat(data.needed, ",")
		short[#short + 1] = ("%s %s\n"):format(object.path, names)
		long[#long + 1] = ("%s;%s;%s;%s;%s;%s\n"):format(data.machine or "", object.path, soname_of(object),
			data.runpath or data.rpath or "", names, data.multilib or "")
	end
	if #short == 0 then
		return nil
	end
	local provides, requires = provides_and_requires(list)
	return { NEEDED = table.concat(short), ["NEEDED.ELF.2"] = table.concat(long), PROVIDES = provides, REQUIRES = requires }
end

return elf
