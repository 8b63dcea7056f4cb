-- The conditional algebra: how it prints, what it reduces to.
local equal = ...
local expr = require("expr")
local use, unless = expr.use, expr.unless

local function reduced(list, flags)
	return table.concat(expr.reduce(list, flags or {}), " ")
end

return {
	dependencies_print_as_pms = function()
		equal(expr.pms({ "a/b", use.nls "c/d", unless.x({ "e/f", "g/h" }) }), "a/b nls? ( c/d ) !x? ( e/f g/h )")
		equal(expr.pms({ expr.any({ "a/b", { "c/d", "e/f" } }) }), "|| ( a/b ( c/d e/f ) )")
		equal(expr.pms({ expr.any({ "a/b", use.x({ "c/d", "e/f" }) }) }), "|| ( a/b x? ( c/d e/f ) )")
		equal(expr.pms({ "a/b", { "c/d", "e/f" } }), "a/b c/d e/f")
		equal(expr.pms("one/atom"), "one/atom")
		equal(expr.pms({}), "")
	end,
	required_use_prints_as_pms = function()
		equal(expr.pms({ use.sanitize "cxx", expr.one({ "a", "b" }), expr.at_most({ "c", "d" }) }),
			"sanitize? ( cxx ) ^^ ( a b ) ?? ( c d )")
		equal(expr.pms({ unless.doc, use.man }), "!doc man")
	end,
	options_follow_the_flags = function()
		local list = { "--x", expr.enable "nls", expr.enable("libgomp", "openmp"), expr.with("zstd", "zstd", "/p"),
			use.a "--a", unless.a({ "--no-a", "--no-aa" }) }
		equal(reduced(list), "--x --disable-nls --disable-libgomp --without-zstd --no-a --no-aa")
		equal(reduced(list, { nls = true, openmp = true, zstd = true, a = true }),
			"--x --enable-nls --enable-libgomp --with-zstd=/p --a")
	end,
	csv_joins_what_is_left = function()
		local languages = expr.csv("--enable-languages", { "c", use.cxx "c++", use.lto "lto" })
		equal(reduced({ languages }, { cxx = true }), "--enable-languages=c,c++")
		equal(reduced({ languages }), "--enable-languages=c")
	end,
	values_of_a_map = function()
		equal(expr.value(use.nls, { nls = true }), true)
		equal(expr.value(unless.nls, { nls = true }), false)
		equal(expr.value(expr.enable "nls", {}), false)
		equal(expr.value(expr.feature "nls", {}), "disabled")
		equal(expr.value(use.nls "yes", {}), nil)
		equal(expr.value({ "a", use.x "b" }, { x = true }), "a;b")
		equal(expr.value(3, {}), "3")
	end,
	resolving_keeps_groups = function()
		local deps = { "a/b", use.x "c/d", expr.any({ use.x "e/f", "g/h" }) }
		equal(expr.pms(expr.resolve(deps, {})), "a/b || ( g/h )")
		equal(expr.pms(expr.resolve(deps, { x = true })), "a/b c/d || ( e/f g/h )")
		equal(expr.pms(expr.resolve({ expr.any({ use.x "e/f" }) }, {})), "")
		deps = { expr.any({ use.x({ "a/a", "b/b" }), "c/c" }) }
		equal(expr.pms(expr.resolve(deps, { x = true })), "|| ( ( a/a b/b ) c/c )")
	end,
	flags_are_found_everywhere = function()
		local seen = {}
		expr.flags({ use.a "x/y[b?,!c=,-d,e(+)=]", expr.csv("--l", { use.f "g" }), expr.enable("h", "i") }, function(flag)
			seen[#seen + 1] = flag
		end)
		table.sort(seen)
		equal(table.concat(seen, " "), "a b c e f i")
	end,
	misuse_is_an_error = function()
		equal(pcall(expr.any, {}), false)
		equal(pcall(expr.any, "x"), false)
		equal(pcall(function() return use.x() end), false)
		equal(pcall(function() use.x = 1 end), false)
		equal(pcall(expr.reduce, { expr.any({ "a" }) }, {}), false)
	end,
}
