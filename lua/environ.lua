-- environ: the whole environment of a build command (design §9). Nothing of the caller's is inherited.
local px = require("px")

local environ = {}

-- One moment for everything that would write the time of the build: 2024-01-01 00:00 UTC.
environ.SOURCE_DATE_EPOCH = "1704067200"

local function pkg_config_dirs(root)
	return ("%s/usr/lib/pkgconfig:%s/usr/share/pkgconfig"):format(root, root)
end

local function base(job)
	return {
		LC_ALL = "C", TERM = "dumb", SHELL = "/bin/sh",
		HOME = job.workdir .. "/homedir", TMPDIR = job.workdir .. "/temp",
		SOURCE_DATE_EPOCH = environ.SOURCE_DATE_EPOCH,
		CONFIG_SITE = "/dev/null", GIT_CONFIG_NOSYSTEM = "1",
		PKG_CONFIG_LIBDIR = pkg_config_dirs(job.root),
		PYTHONNOUSERSITE = "1", PYTHONHASHSEED = "0", PYTHONDONTWRITEBYTECODE = "1",
	}
end

local function overlay(env, more)
	for name, value in pairs(more or {}) do
		env[name] = value or nil
	end
end

-- The variables of a job as a map: base, then the stage's tools and env, the user's make.conf, the recipe's env.
function environ.of(job, tools, recipe_env)
	local env = base(job)
	for name, value in pairs(tools) do
		if type(value) == "string" and name:match("^[A-Z][A-Z0-9_]*$") and value ~= "" then
			env[name] = value
		end
	end
	env.PATH = table.concat(tools.path or { "/usr/bin", "/bin" }, ":")
	overlay(env, tools.env)
	overlay(env, job.conf)
	env.INSTALL_MASK = nil
	-- A guest prefix finds its own headers and libraries by these: the user's come behind.
	for _, name in ipairs { "CPPFLAGS", "LDFLAGS" } do
		local own, wish = tools[name] or "", job.conf and job.conf[name]
		if wish and own ~= "" then
			env[name] = own .. " " .. wish
		end
	end
	overlay(env, recipe_env)
	return env
end

-- A map with `more` on top (false removes a name) as the sorted "NAME=value" list that a process is given.
function environ.list(env, more)
	local merged = {}
	overlay(merged, env)
	overlay(merged, more)
	local out = {}
	for name, value in pairs(merged) do
		out[#out + 1] = name .. "=" .. tostring(value)
	end
	table.sort(out)
	return out
end

-- Absolute path of a program on the job's PATH, or nil.
function environ.which(env, name)
	return px.proc.which(name, env.PATH)
end

return environ
