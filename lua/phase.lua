-- phase: runs the phases of one step in a worker (docs/internals.md).
local context = require("context")
local elf = require("qa.elf")
local expr = require("expr")
local layout = require("qa.layout")
local mask = require("qa.mask")
local patch = require("patch")
local px = require("px")
local recipe = require("recipe")
local record = require("record")
local refs = require("qa.refs")
local shebang = require("qa.shebang")
local strip = require("qa.strip")
require("files")
require("install")

local phase = {}

-- After these a file under work/ tells that the phase was begun and not finished: it cannot be repeated on its own
-- result, so what comes before it is done again.
local function marker(b)
	return b.workdir .. "/.preparing"
end

local function call(b, name)
	local own, shared = b.spec[name], b.recipe.system[name]
	b.phase = name
	if own then
		own(b, shared or function() end)
	elseif shared then
		shared(b)
	end
end

-- Sources always land in an empty directory; what the recipe calls its source must then be there.
local function unpack(b)
	px.fs.remove(b.workdir .. "/work")
	px.fs.mkdirs(b.src)
	call(b, "unpack")
	if not px.fs.is_dir(b.s) then
		b:die(("subdir = '%s' is not in the source, which holds: %s"):format(b.spec.subdir,
			(table.concat(px.fs.list(b.src), " "):gsub("%$", "$$"))))
	end
end

local function prepare(b)
	if px.fs.exists(marker(b)) then
		unpack(b)
	end
	px.fs.write(marker(b), "", 420)
	call(b, "prepare")
	patch.user(b)
	px.fs.remove(marker(b))
	px.fs.mkdirs(b.build)
end

-- What the image must be like before it is merged (docs/internals.md, "After install").
local function finish_image(b)
	layout.inside_prefix(b)
	layout.merge_usr(b)
	layout.clean(b)
	mask.run(b)
	shebang.run(b)
	strip.run(b)
	refs.check(b)
	elf.check(b)
	record.note(b, elf.needed(b))
end

local function install(b)
	px.fs.remove(b.d)
	px.fs.mkdirs(b.ed)
	call(b, "install")
	finish_image(b)
end

local function restrict(r, flags)
	return r.spec.RESTRICT and expr.pms(expr.resolve(r.spec.RESTRICT, flags)) or ""
end

-- Get ready to run the phases of a job:
--   repo_path repo category pn pvr slot use stage root workdir   the step
--   target distdir jobs makeflags keep_fds log_fd confine        what the worker gives
--   tools facts conf                                             the stage's tools, host facts, make.conf
function phase.open(job)
	local r = recipe.load({ repo_path = job.repo_path, category = job.category, pn = job.pn, pvr = job.pvr })
	local b = context.new(job, r)
	b.restrict = restrict(r, b.flags)
	for _, dir in ipairs({ "", "/homedir", "/temp", "/work" }) do
		px.fs.mkdirs(job.workdir .. dir)
	end
	return b
end

local function has_word(text, word)
	return (" " .. (text or "") .. " "):find(" " .. word .. " ", 1, true) ~= nil
end

-- Test suites run when the user asks for it (FEATURES=test) and the recipe does not forbid it.
local function test(b)
	if has_word(b.env.FEATURES, "test") and not has_word(b.restrict, "test") then
		call(b, "test")
	end
end

local OWN = { unpack = unpack, prepare = prepare, install = install, test = test }

-- Run one phase of what phase.open returned.
function phase.run(b, name)
	b.phase = name
	if OWN[name] then
		OWN[name](b)
	else
		call(b, name)
	end
end

-- Fields and files of the record, for the merge.
function phase.record(b)
	return record.fields(b), record.files(b)
end

return phase
