-- layout: images keep to the prefix, and hold no directory where the prefix has one of its symlinks.
local px = require("px")

local layout = {}

-- In this order: usr/sbin before sbin, so that everything ends in usr/bin and usr/lib.
local MERGED = {
	{ "usr/sbin", "usr/bin" }, { "usr/lib64", "usr/lib" }, { "bin", "usr/bin" }, { "sbin", "usr/bin" },
	{ "lib", "usr/lib" }, { "lib64", "usr/lib" },
}

local function fail(b, message)
	error({ what = "qa.layout", code = px.ERR_BUILD, message = ("%s: %s"):format(b.pf, message) }, 0)
end

local function type_of(path)
	local st = px.fs.stat(path)
	return st and st.type
end

-- Where a path relative to the prefix is once the directories are one.
function layout.merged(path)
	for _, pair in ipairs(MERGED) do
		if path == pair[1] or path:sub(1, #pair[1] + 1) == pair[1] .. "/" then
			return pair[2] .. path:sub(#pair[1] + 1)
		end
	end
	return path
end

local function parts(path)
	local out = {}
	for part in path:gmatch("[^/]+") do
		out[#out + 1] = part
	end
	return out
end

-- "usr/bin", "usr/lib/x" → "../lib/x"
function layout.relative(from_dir, to)
	local a, z = parts(from_dir), parts(to)
	local same = 0
	while a[same + 1] ~= nil and a[same + 1] == z[same + 1] do
		same = same + 1
	end
	local up = ("../"):rep(#a - same)
	local rest = table.concat(z, "/", same + 1)
	return rest == "" and (up == "" and "." or up:sub(1, -2)) or up .. rest
end

-- The target of a relative symlink `old` (its path in the prefix) that moves to `new`, so that it still means the same.
local function moved_target(old, new, target)
	if target:sub(1, 1) == "/" then
		return target
	end
	local meant = px.fs.clean("/" .. (old:match("^(.*)/") or "") .. "/" .. target):sub(2)
	return layout.relative(new:match("^(.*)/"), layout.merged(meant))
end

local move_tree

-- A name that both directories have: a symlink to the other one gives way to it.
local function collide(b, old, new)
	local from, to = b.ed .. "/" .. old, b.ed .. "/" .. new
	if type_of(from) == "dir" and type_of(to) == "dir" then
		return move_tree(b, old, new)
	elseif type_of(from) == "link" then
		px.fs.remove(from)
	elseif type_of(to) == "link" then
		px.fs.remove(to)
		px.fs.rename(from, to)
	elseif px.fs.read(from) == px.fs.read(to) then
		px.fs.remove(from)
	else
		fail(b, ("%s and %s are different files, but become one place"):format(old, new))
	end
	return nil
end

local function move_entry(b, old, new)
	local from, to = b.ed .. "/" .. old, b.ed .. "/" .. new
	if px.fs.exists(to) then
		collide(b, old, new)
	elseif type_of(from) == "link" then
		px.fs.symlink(moved_target(old, new, px.fs.readlink(from)), to)
		px.fs.remove(from)
	elseif type_of(from) == "dir" then
		px.fs.mkdirs(to)
		move_tree(b, old, new)
	else
		px.fs.rename(from, to)
	end
end

function move_tree(b, old, new)
	for _, name in ipairs(px.fs.list(b.ed .. "/" .. old)) do
		move_entry(b, old .. "/" .. name, new .. "/" .. name)
	end
	px.fs.remove(b.ed .. "/" .. old)
end

-- Move what is in bin, sbin, usr/sbin to usr/bin and what is in lib, lib64, usr/lib64 to usr/lib.
function layout.merge_usr(b)
	if b.spec.merged_usr == false then
		return
	end
	for _, pair in ipairs(MERGED) do
		local at = b.ed .. "/" .. pair[1]
		if type_of(at) == "dir" then
			px.fs.mkdirs(b.ed .. "/" .. pair[2])
			move_tree(b, pair[1], pair[2])
		elseif type_of(at) == "link" then
			fail(b, ("the image holds a symlink %s; only a package with merged_usr = false may"):format(pair[1]))
		end
	end
end

-- Nothing but the directories that lead to the prefix may lie outside it.
function layout.inside_prefix(b)
	local outside = {}
	for _, entry in ipairs(px.fs.walk(b.d)) do
		local path = "/" .. entry.path
		local inside = path == b.eprefix or path:sub(1, #b.eprefix + 1) == b.eprefix .. "/"
		local leads = entry.type == "dir" and b.eprefix:sub(1, #path + 1) == path .. "/"
		if not inside and not leads then
			outside[#outside + 1] = path
		end
	end
	if #outside > 0 then
		fail(b, ("%d paths outside the prefix %s:\n%s"):format(#outside, b.eprefix,
			table.concat(outside, "\n", 1, math.min(#outside, 8))))
	end
end

-- Files that every package would own, or that are wrong as soon as they are moved: libtool's archives, info's index.
function layout.clean(b)
	for _, entry in ipairs(px.fs.walk(b.ed)) do
		local libtool = entry.path:find("%.la$") and (px.fs.read(b.ed .. "/" .. entry.path) or ""):find("libtool", 1, true)
		if entry.type == "file" and (libtool or entry.path == "usr/share/info/dir") then
			px.fs.remove(b.ed .. "/" .. entry.path)
		end
	end
end

return layout
