-- Fields of a recipe.
local equal = ...
local schema = require("schema")

local function spec(more)
	local s = { DESCRIPTION = "d", LICENSE = "l" }
	for name, value in pairs(more) do
		s[name] = value
	end
	return s
end

return {
	a_minimal_spec_is_right = function()
		equal(schema.check(spec({})), nil)
	end,
	mistakes_are_named = function()
		equal(schema.check(spec({ DESCRIPTON = "x" })), "unknown field 'DESCRIPTON'")
		equal(schema.check(spec({ Sources = {} })), "unknown field 'Sources' (did you mean sources?)")
		equal(schema.check(spec({ source = {} })), "unknown field 'source' (did you mean sources?)")
		equal(schema.check(spec({ mem = "1" })), "mem must be a number, not string")
		equal(schema.check(spec({ prepare = {} })), "prepare must be a function, not table")
		equal(schema.check(spec({ "x" })), "unexpected item 1: every field has a name")
		equal(schema.check({ DESCRIPTION = "d" }), "LICENSE is missing")
	end,
	dependencies_add_up_and_the_rest_overrides = function()
		local shared = { DEPEND = "a/b", SLOT = "0", IUSE = "x", mem = 5 }
		local sum = schema.over({ DEPEND = { "c/d" }, SLOT = "1", IUSE = "y" }, shared)
		equal(table.concat(sum.DEPEND, " ") .. sum.SLOT .. sum.IUSE .. sum.mem, "a/b c/d1x y5")
	end,
	a_phase_calls_the_one_below = function()
		local said = {}
		local function say(text)
			return function(_, super)
				said[#said + 1] = text
				super()
			end
		end
		local both = schema.over({ install = say("recipe") }, { install = say("library") })
		both.install(nil, function() said[#said + 1] = "system" end)
		equal(table.concat(said, " "), "recipe library system")
	end,
}
