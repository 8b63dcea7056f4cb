-- Shell patterns as Lua patterns.
local equal = ...
local glob = require("glob")

local function fits(text, pattern)
	return text:match(glob.pattern(pattern)) ~= nil
end

return {
	wildcards = function()
		equal(fits("lib.so.1", "lib*.so.?"), true)
		equal(fits("lib.so.12", "lib*.so.?"), false)
		equal(fits("a/b", "a*"), true)
		equal(fits("", "*"), true)
	end,
	sets = function()
		equal(fits("a3", "a[0-9]"), true)
		equal(fits("ax", "a[0-9]"), false)
		equal(fits("ax", "a[!0-9]"), true)
		equal(fits("a]", "a[]x]"), true)
		equal(fits("a^", "a[x^]"), true)
		equal(fits("a%", "a[%w]"), true)
		equal(fits("ab", "a[%w]"), false)
	end,
	everything_else_is_itself = function()
		equal(fits("a.b+c-d%(e)", "a.b+c-d%(e)"), true)
		equal(fits("axb", "a.b"), false)
		equal(fits("a[b", "a[b"), true)
		equal(fits("libstdc++.so", "libstdc++.so"), true)
	end,
}
