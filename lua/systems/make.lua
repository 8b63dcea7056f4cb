-- make: a makefile without a configure script, built in its source directory.
local system = require("system")

-- Makefiles set CC themselves, so the environment is not enough: the stage's tools go on the command line.
local function arguments(b, ...)
	local args = { "CC=$CC", "CXX=$CXX", "AR=$AR", "RANLIB=$RANLIB" }
	local own = b:list("make_args")
	table.move(own, 1, #own, #args + 1, args)
	return table.move({ ... }, 1, select("#", ...), #args + 1, args)
end

return system.new({
	name = "make",
	in_source = true,
	compile = function(b)
		b:make(arguments(b))
	end,
	test = function(b)
		b:make(arguments(b, "check"))
	end,
	install = function(b)
		b:make(arguments(b, "install", "DESTDIR=$D", "PREFIX=$EPREFIX/usr", "prefix=$EPREFIX/usr"))
	end,
})
