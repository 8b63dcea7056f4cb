-- files: what `b` offers for files. Paths are relative to S until the sources are ready, to BUILD afterwards.
local px = require("px")
local context = require("context")
local edit = require("edit")
local glob = require("glob")

local files = {}
local b = context.methods

local function path_error(path, why)
	error({ what = "build.path", code = px.ERR_BUILD, message = ("%s: %s"):format(path, why) }, 0)
end

-- The path as one that may be changed: only what is below the work directory is the package's.
local function own(self, text)
	local path = px.fs.clean(self:path(text))
	if path:sub(1, #self.workdir + 1) ~= self.workdir .. "/" then
		path_error(path, "a phase changes files below its work directory only")
	end
	return path
end
files.own = own

local function has_wildcard(text)
	return text:find("[*?%[]") ~= nil
end

-- Paths below the directories `found` that match one component of a pattern, sorted.
local function step(found, component)
	local out, pattern = {}, glob.pattern(component)
	for _, dir in ipairs(found) do
		if not has_wildcard(component) then
			local path = dir .. "/" .. component
			out[#out + 1] = px.fs.exists(path) and path or nil
		elseif px.fs.is_dir(dir == "" and "/" or dir) then
			for _, name in ipairs(px.fs.list(dir == "" and "/" or dir)) do
				local hidden = name:sub(1, 1) == "." and component:sub(1, 1) ~= "."
				if not hidden and name:match(pattern) then
					out[#out + 1] = dir .. "/" .. name
				end
			end
		end
	end
	return out
end

-- Absolute paths that match a shell pattern (* ? [ ] within a component), sorted; none is an empty list.
function files.glob(pattern)
	local found = { "" }
	for component in pattern:gmatch("[^/]+") do
		found = step(found, component)
	end
	return found
end

-- Absolute paths of an argument: itself, or what a pattern matches (at least one).
local function sources_of(self, text)
	local path = self:path(text)
	if not has_wildcard(path) then
		return { path }
	end
	local found = files.glob(path)
	if #found == 0 then
		path_error(path, "nothing matches")
	end
	return found
end
files.sources_of = sources_of

function b:glob(pattern)
	return files.glob(self:path(pattern))
end

-- Paths of the files below a directory whose names match one of the patterns, sorted.
function b:find(dir, patterns)
	local at, out, wanted = self:path(dir), {}, {}
	for i, pattern in ipairs(type(patterns) == "table" and patterns or { patterns }) do
		wanted[i] = glob.pattern(pattern)
	end
	for _, entry in ipairs(px.fs.is_dir(at) and px.fs.walk(at) or {}) do
		for _, pattern in ipairs(entry.type ~= "dir" and wanted or {}) do
			if entry.path:match("[^/]+$"):match(pattern) then
				out[#out + 1] = at .. "/" .. entry.path
				break
			end
		end
	end
	return out
end

function b:exists(path)
	return px.fs.exists(self:path(path))
end

function b:is_dir(path)
	return px.fs.is_dir(self:path(path))
end

-- The whole content of a file; a missing one fails the phase.
function b:read(path)
	local text = px.fs.read(self:path(path))
	return text or path_error(self:path(path), "no such file")
end

-- A number is the mode bits themselves; a string is octal: "755".
local function mode_number(mode, default)
	if mode == nil or math.type(mode) == "integer" then
		return mode or default
	end
	return tonumber(tostring(mode), 8) or path_error(tostring(mode), "not an octal mode like \"755\"")
end

local function parent(path)
	return path:match("^(.*)/[^/]*$")
end

-- Write a file with that mode (0644).
function b:write(path, text, mode)
	local to = own(self, path)
	px.fs.mkdirs(parent(to))
	px.fs.write(to, self:content(text), mode_number(mode, 420))
end

function b:append(path, text)
	local to = own(self, path)
	local old = px.fs.read(to) or ""
	px.fs.write(to, old .. self:content(text), px.fs.stat(to) and px.fs.stat(to).mode or 420)
end

local function expanded(self, change)
	local copy = {}
	for key, value in pairs(change) do
		copy[key] = type(value) == "string" and key ~= "pattern" and self:content(value) or value
	end
	return copy
end

-- Until the build begins an edit keeps the file's time: makefiles must not think that generated files are stale.
local function edit_one(self, path, changes)
	local text, st = px.fs.read(path), px.fs.stat(path)
	if not text then
		path_error(path, "no such file to edit")
	end
	local ok, result = pcall(edit.apply, text, changes)
	if not ok then
		path_error(path, tostring(result))
	end
	px.fs.write(path, result, st.mode)
	if self.phase == "unpack" or self.phase == "prepare" then
		px.fs.utime(path, st.mtime, st.mtime_ns)
	end
end

-- Edit a file (or a list of them, or what a pattern matches); see edit.lua for the changes.
function b:edit(file, ...)
	local changes = {}
	for i, change in ipairs({ ... }) do
		changes[i] = expanded(self, change)
	end
	for _, name in ipairs(type(file) == "table" and file or { file }) do
		for _, path in ipairs(sources_of(self, own(self, name))) do
			edit_one(self, path, changes)
		end
	end
end

function b:mkdir(...)
	for _, path in ipairs({ ... }) do
		px.fs.mkdirs(own(self, path))
	end
end

-- Remove what each path or pattern names, directories with all below them; nothing there is fine.
function b:remove(...)
	for _, path in ipairs({ ... }) do
		for _, found in ipairs(files.glob(own(self, path))) do
			px.fs.remove(found)
		end
	end
end

local function target_of(self, from, to)
	if to:sub(-1) == "/" or px.fs.is_dir(to) then
		to = to:gsub("/$", "") .. "/" .. from:match("[^/]+$")
	end
	px.fs.mkdirs(parent(to))
	return own(self, to)
end

-- Copy one entry of any type, directories with all below them.
function files.copy_tree(from, to)
	local st = px.fs.stat(from)
	if st.type == "dir" then
		px.fs.mkdirs(to)
		for _, name in ipairs(px.fs.list(from)) do
			files.copy_tree(from .. "/" .. name, to .. "/" .. name)
		end
	elseif st.type == "link" then
		px.fs.symlink(px.fs.readlink(from), to)
	else
		px.fs.copy(from, to)
	end
end

local function each_source(self, src, dst, act)
	local to = self:path(dst)
	for _, from in ipairs(sources_of(self, src)) do
		if not px.fs.exists(from) then
			path_error(from, "no such file")
		end
		act(from, target_of(self, from, to))
	end
end

-- Copy a file, directory or pattern; a destination that ends in "/" or is a directory receives it by its name.
function b:copy(src, dst)
	each_source(self, src, dst, files.copy_tree)
end

function b:move(src, dst)
	each_source(self, own(self, src), dst, px.fs.rename)
end

function b:symlink(target, path)
	local at = own(self, path)
	px.fs.mkdirs(parent(at))
	px.fs.symlink(self:expand(target), at)
end

function b:chmod(mode, ...)
	for _, path in ipairs({ ... }) do
		for _, found in ipairs(sources_of(self, own(self, path))) do
			px.fs.chmod(found, mode_number(mode))
		end
	end
end

-- Set the time of a file to now, creating it empty when it is missing.
function b:touch(...)
	for _, path in ipairs({ ... }) do
		local at = own(self, path)
		if not px.fs.exists(at) then
			px.fs.mkdirs(parent(at))
			px.fs.write(at, "", 420)
		end
		px.fs.utime(at)
	end
end

return files
