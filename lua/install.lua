-- install: what `b` offers for putting files into the image; directories are relative to $EPREFIX.
local px = require("px")
local context = require("context")
local files = require("files")

local b = context.methods

local function image(self, dir)
	local path = self:expand(dir)
	if path:sub(1, #self.ed) == self.ed then
		return path
	elseif path:sub(1, #self.eprefix + 1) == self.eprefix .. "/" then
		return self.d .. path
	end
	return self.ed .. "/" .. path:gsub("^/+", "")
end

local function put(from, to, mode)
	px.fs.mkdirs(to:match("^(.*)/"))
	files.copy_tree(from, to)
	if px.fs.stat(to).type == "file" then
		px.fs.chmod(to, mode)
	end
end

local function put_all(self, dir, mode, names)
	for _, name in ipairs(names) do
		for _, from in ipairs(files.sources_of(self, name)) do
			if not px.fs.exists(from) then
				self:die("no such file: " .. from:gsub("%$", "$$"))
			end
			put(from, image(self, dir) .. "/" .. from:match("[^/]+$"), mode)
		end
	end
end

function b:dobin(...)
	put_all(self, "usr/bin", 493, { ... })
end

function b:newbin(src, name)
	put(self:path(src), image(self, "usr/bin/" .. name), 493)
end

function b:doins(dir, ...)
	put_all(self, dir, 420, { ... })
end

function b:newins(src, dir, name)
	put(self:path(src), image(self, dir .. "/" .. name), 420)
end

function b:doexe(dir, ...)
	put_all(self, dir, 493, { ... })
end

-- A symlink `link` in the image to `target`, which is written as it is.
function b:dosym(target, link)
	local at = image(self, link)
	px.fs.mkdirs(at:match("^(.*)/"))
	px.fs.symlink(self:expand(target), at)
end

function b:dodir(...)
	for _, dir in ipairs({ ... }) do
		px.fs.mkdirs(image(self, dir))
	end
end

-- A directory that stays though it is empty: Portage's .keep file.
function b:keepdir(...)
	for _, dir in ipairs({ ... }) do
		local at = image(self, dir)
		px.fs.mkdirs(at)
		px.fs.write(("%s/.keep_%s_%s-%s"):format(at, self.category, self.pn, self.slot:match("^[^/]*")), "", 420)
	end
end

function b:doman(...)
	for _, name in ipairs({ ... }) do
		for _, from in ipairs(files.sources_of(self, name)) do
			local section = from:match("%.([%dnl])[%w]*$")
			if not section then
				self:die("doman: no section at the end of " .. from:gsub("%$", "$$"))
			end
			put(from, image(self, ("usr/share/man/man%s/%s"):format(section, from:match("[^/]+$"))), 420)
		end
	end
end

function b:dodoc(...)
	put_all(self, "usr/share/doc/" .. self.pf, 420, { ... })
end

return { image = image }
