-- JSON text both ways.
local equal = ...
local json = require("json")

return {
	both_ways = function()
		for _, text in ipairs({ '{"a":[1,2,{"b":true}],"c":"x\\"\\\\\\ny","d":-1.5}', "[]", '"\\u0001"', "[1,[2,[3]]]" }) do
			equal(json.encode(json.decode(text)), text)
		end
	end,
	reading = function()
		equal(json.decode(' { "k" : null , "l" : [ ] } ').k, nil)
		equal(json.decode('"\\u00e9\\/\\t"'), "é/\t")
		equal(json.decode(""), nil)
		equal(math.type(json.decode("12")), "integer")
		equal(json.decode("1e3"), 1000)
	end,
	what_is_no_json_is_refused = function()
		for _, text in ipairs({ "{", "[1,]", '{"a"}', '"x', "tru", "1 2", "{1:2}", "[1 2]" }) do
			equal(text .. tostring(pcall(json.decode, text)), text .. "false")
		end
	end,
}
