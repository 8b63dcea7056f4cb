-- Sources: names, alternatives, notes, conditions.
local equal = ...
local expr = require("expr")
local sources = require("sources")

-- "name=uri,uri|name=uri name=…": sources by blanks, alternatives by bars.
local function shown(list, flags)
	local out = {}
	for _, source in ipairs(sources.list(list, flags)) do
		local files = {}
		for _, file in ipairs(source.alternatives) do
			files[#files + 1] = file.name .. "=" .. table.concat(file.uris, ",")
		end
		out[#out + 1] = table.concat(files, "|")
	end
	return table.concat(out, " ")
end

return {
	a_name_is_the_last_part_or_behind_the_arrow = function()
		equal(shown({ "https://h/d/a-1.tar.gz" }), "a-1.tar.gz=https://h/d/a-1.tar.gz")
		equal(shown({ "https://h/v1.tar.gz -> a-1.tar.gz" }), "a-1.tar.gz=https://h/v1.tar.gz")
		equal(pcall(sources.parse, "https://h/"), false)
		equal(pcall(sources.parse, "https://h/a?b=c"), false)
		equal(pcall(sources.parse, "a b c"), false)
	end,
	alternatives_of_one_name_are_one_file = function()
		equal(shown({ expr.any({ "x://1/a", "y://2/b -> a", "z://3/c" }) }), "a=x://1/a,y://2/b|c=z://3/c")
	end,
	conditions = function()
		local list = { "x://a", expr.use.doc({ "x://b", "x://c" }), expr.unless.doc({ "x://d", strip = 0 }) }
		equal(shown(list, {}), "a=x://a d=x://d")
		equal(shown(list, { doc = true }), "a=x://a b=x://b c=x://c")
		equal(shown(list), "a=x://a b=x://b c=x://c d=x://d")
	end,
	notes = function()
		local file = sources.list({ { "x://a", strip = 0, into = "sub", nested = "*/x.tar" } })[1].alternatives[1]
		equal(table.concat({ file.strip, file.into, file.nested, tostring(file.unpack) }, " "), "0 sub */x.tar true")
		equal(sources.list({ { "x://a", unpack = false } })[1].alternatives[1].unpack, false)
		equal(pcall(sources.list, { { "x://a", stripp = 1 } }), false)
		equal(pcall(sources.list, { { "x://a", strip = "1" } }), false)
	end,
	src_uri = function()
		equal(sources.pms({ expr.any({ "x://h/a", "y://h/b -> a" }), expr.use.doc "x://h/c" }),
			"x://h/a y://h/b -> a doc? ( x://h/c )")
		equal(sources.pms(nil), "")
	end,
}
