-- python: a Python package without pip: its PEP 517 backend makes a wheel, which is unpacked into the image.
local px = require("px")
local system = require("system")

-- Calls the backend that pyproject.toml names (setuptools when it names none) and prints the wheel's file name.
local BUILD_WHEEL = [[
import importlib, sys, tomllib
try:
    with open("pyproject.toml", "rb") as f:
        build = tomllib.load(f).get("build-system", {})
except FileNotFoundError:
    build = {}
sys.path[:0] = build.get("backend-path", [])
module, _, attribute = build.get("build-backend", "setuptools.build_meta:__legacy__").partition(":")
backend = importlib.import_module(module)
for part in filter(None, attribute.split(".")):
    backend = getattr(backend, part)
backend.build_wheel(sys.argv[1])
]]

-- Where this Python looks for packages below a prefix, whatever a distribution made its default scheme.
local SITE_DIR = "import sysconfig; print(sysconfig.get_path('purelib', 'posix_prefix', vars={'base': sys.argv[1]}))"

-- A start script for each console entry point of the unpacked wheel.
local function scripts(b, site)
	for _, path in ipairs(b:glob(site .. "/*.dist-info/entry_points.txt")) do
		local section = ""
		for line in px.fs.read(path):gmatch("[^\n]+") do
			section = line:match("^%[(.-)%]") or section
			local name, module, call = line:match("^%s*([%w._-]+)%s*=%s*([%w._]+):([%w._]+)")
			if section == "console_scripts" and name then
				b:write("$ED/usr/bin/" .. name, ("#!$EPREFIX/usr/bin/python3\nimport sys\nfrom %s import %s\nsys.exit(%s())\n")
					:format(module, call:match("^[^.]+"), call), 493)
			end
		end
	end
end

-- "#!python" stands for the interpreter of the installation (binary distribution format of wheels).
local function install_script(b, path)
	local text = px.fs.read(path):gsub("^#!pythonw?", "#!" .. b.eprefix .. "/usr/bin/python3")
	px.fs.mkdirs(b.ed .. "/usr/bin")
	px.fs.write(b.ed .. "/usr/bin/" .. path:match("[^/]+$"), text, 493)
end

-- What a wheel's NAME.data directories hold belongs elsewhere.
local function data_dirs(b, site)
	for _, data in ipairs(b:glob(site .. "/*.data")) do
		for _, path in ipairs(b:glob(data .. "/scripts/*")) do
			install_script(b, path)
		end
		for kind, dir in pairs({ data = "usr", headers = "usr/include/python" }) do
			for _, path in ipairs(b:glob(data .. "/" .. kind .. "/*")) do
				b:copy(path, "$ED/" .. dir .. "/")
			end
		end
		b:remove(data)
	end
end

local function install(b)
	local site = "$D" .. b:capture({ "$PYTHON", "-c", "import sys; " .. SITE_DIR, "$EPREFIX/usr" })
	b:mkdir(site)
	px.archive.unpack(b:glob("$BUILD/*.whl")[1] or b:die("no wheel in $BUILD"), b:expand(site), { strip = 0 })
	data_dirs(b, site)
	scripts(b, site)
	b:run({ "$PYTHON", "-m", "compileall", "-q", "-s", "$D", "--invalidation-mode", "unchecked-hash", site })
end

return system.new({
	name = "python",
	defaults = { BDEPEND = { "dev-lang/python" }, RDEPEND = { "dev-lang/python" } },
	compile = function(b)
		system.fresh_build(b)
		b:run({ "$PYTHON", "-c", BUILD_WHEEL:gsub("%$", "$$$$"), "$BUILD", cwd = "$S" })
	end,
	install = install,
})
