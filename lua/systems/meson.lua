-- meson: configured outside the source, built by ninja.
local system = require("system")

local STANDARD = {
	"--prefix=$EPREFIX/usr", "--libdir=lib", "--sysconfdir=$EPREFIX/etc", "--localstatedir=$EPREFIX/var",
	"--buildtype=plain", "--wrap-mode=nodownload",
}

-- The recipe's options: a list as it is, or a map as -Dname=value.
local function arguments(b)
	local map, list = b:options()
	local args = {}
	for name, value in pairs(map) do
		if type(name) == "string" then
			args[#args + 1] = ("-D%s=%s"):format(name, tostring(value)):gsub("%$", "$$$$")
		end
	end
	table.sort(args)
	for _, item in ipairs(list) do
		args[#args + 1] = item:gsub("%$", "$$$$")
	end
	return args
end

local function configure(b)
	system.fresh_build(b)
	local args = { "$MESON", "setup", "$BUILD", "$S" }
	table.move(STANDARD, 1, #STANDARD, #args + 1, args)
	local own = arguments(b)
	table.move(own, 1, #own, #args + 1, args)
	args.cwd = "$S"
	b:run(args)
end

return system.new({
	name = "meson",
	defaults = { BDEPEND = { "dev-build/meson", "dev-build/ninja" } },
	configure = configure,
	compile = function(b) b:run({ "$NINJA", "-v", "-j$JOBS", "-C", "$BUILD" }) end,
	test = function(b) b:run({ "$MESON", "test", "-C", "$BUILD", "--print-errorlogs" }) end,
	install = function(b)
		b:run({ "$MESON", "install", "-C", "$BUILD", "--no-rebuild", env = { DESTDIR = "$D" } })
	end,
})
