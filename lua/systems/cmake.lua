-- cmake: configured outside the source; Ninja where the stage has it, else make under the jobserver.
local system = require("system")

local STANDARD = {
	"-DCMAKE_INSTALL_PREFIX=$EPREFIX/usr", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib",
	"-DCMAKE_INSTALL_SYSCONFDIR=$EPREFIX/etc", "-DCMAKE_INSTALL_LOCALSTATEDIR=$EPREFIX/var",
	-- The stage's flags say how to optimise; CMake's own -O3 would come behind them.
	"-DCMAKE_C_FLAGS_RELEASE=-DNDEBUG", "-DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG",
	"-DCMAKE_INSTALL_RPATH=$EPREFIX/usr/lib", "-DCMAKE_PREFIX_PATH=$EPREFIX/usr",
	"-DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
	"-DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF", "-DCMAKE_COLOR_DIAGNOSTICS=OFF", "-DCMAKE_VERBOSE_MAKEFILE=ON",
}

local function value_text(value)
	if type(value) == "boolean" then
		return value and "ON" or "OFF"
	end
	return value
end

-- The recipe's options as -DNAME=VALUE, sorted by name; the items of its list part go as they are.
local function defines(b)
	local map, list = b:options()
	local args = {}
	for name, value in pairs(map) do
		if type(name) == "string" then
			args[#args + 1] = ("-D%s=%s"):format(name, value_text(value)):gsub("%$", "$$$$")
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
	local args = { "$CMAKE", "-S", "$S", "-B", "$BUILD", "-G", b:which("$NINJA") and "Ninja" or "Unix Makefiles" }
	table.move(STANDARD, 1, #STANDARD, #args + 1, args)
	if b.tools.leaks then
		args[#args + 1] = "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"
	end
	local own = defines(b)
	b:run(table.move(own, 1, #own, #args + 1, args))
end

-- Build targets; also for recipes that name their own.
local function build(b, targets, env)
	if b:exists("$BUILD/build.ninja") then
		local args = { "$NINJA", "-v", "-j$JOBS", "-C", "$BUILD", env = env }
		b:run(table.move(targets, 1, #targets, #args + 1, args))
	else
		local args = table.move(targets, 1, #targets, 1, { cwd = "$BUILD", env = env })
		b:make(args)
	end
end

return system.new({
	name = "cmake",
	defaults = { BDEPEND = { "dev-build/cmake", "dev-build/ninja" } },
	configure = configure,
	compile = function(b) build(b, {}) end,
	test = function(b) b:run({ "ctest", "--output-on-failure", "-j$JOBS", cwd = "$BUILD" }) end,
	install = function(b) build(b, { "install" }, { DESTDIR = "$D" }) end,
})
