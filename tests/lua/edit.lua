-- Edits that fail when they find nothing.
local equal = ...
local edit = require("edit")

local function apply(text, ...)
	return edit.apply(text, { ... })
end

local function failure(text, ...)
	local ok, message = pcall(edit.apply, text, { ... })
	return not ok and message or "none"
end

return {
	plain_text = function()
		equal(apply("a.a.a", { from = ".", to = "-" }), "a-a.a")
		equal(apply("a.a.a", { from = ".", to = "-", all = true }), "a-a-a")
		equal(apply("a%a", { from = "%", to = "%1" }), "a%1a")
		equal(apply("abc", { from = "b" }), "ac")
		equal(apply("aaa", { from = "a", to = "aa", all = true }), "aaaaaa")
	end,
	patterns_replace_everywhere = function()
		equal(apply("x1y22", { pattern = "%d+", to = "#" }), "x#y#")
	end,
	lines = function()
		equal(apply("a\nb mark\nc\n", { drop = "mark" }), "a\nc\n")
		equal(apply("a\nb mark\nc", { line = "mark", with = "new" }), "a\nnew\nc")
		equal(apply("last mark", { drop = "mark" }), "")
		equal(apply("a", { append = "b" }), "a\nb\n")
		equal(apply("", { append = "b" }), "b\n")
		equal(apply("a\n", { prepend = "z" }), "z\na\n")
	end,
	in_order = function()
		equal(apply("a", { from = "a", to = "b" }, { from = "b", to = "c" }), "c")
	end,
	nothing_found_is_an_error = function()
		equal(failure("a", { from = "a", to = "b" }, { from = "a" }), "edit 2 found nothing: a")
		equal(failure("a", { pattern = "%d" }), "edit 1 found nothing: %d")
		equal(failure("a", { drop = "b" }), "edit 1 found nothing: b")
		equal(failure("a", { line = "b", with = "c" }), "edit 1 found nothing: b")
		equal(failure("a", { form = "a" }), "an edit has no 'form'")
		equal(failure("a", { from = "" }), "an edit cannot look for an empty text")
	end,
}
