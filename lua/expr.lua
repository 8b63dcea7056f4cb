-- expr: conditional lists. One algebra serves dependencies, sources and options; it prints as PMS and reduces.
local expr = {}

local NODE = { __name = "expr" }
local FLAG = { __name = "flag" }

local GROUP_MARK = { any = "||", one = "^^", at_most = "??" }

local function node(tag, fields)
	fields.tag = tag
	return setmetatable(fields, NODE)
end

local function is_plain_list(value)
	if type(value) ~= "table" or getmetatable(value) ~= nil then
		return false
	end
	for key in pairs(value) do
		if type(key) ~= "number" then
			return false
		end
	end
	return true
end

-- use.FLAG: called with items it is a condition, by itself it stands for the flag's value.
FLAG.__call = function(flag, first, ...)
	local items = select("#", ...) == 0 and is_plain_list(first) and first or { first, ... }
	if #items == 0 then
		error(("use.%s needs at least one item"):format(flag.flag), 2)
	end
	return node("cond", { flag = flag.flag, neg = flag.neg, items = items })
end

local function flag_source(neg)
	return setmetatable({}, {
		__index = function(_, name)
			return setmetatable({ tag = "flag", flag = name, neg = neg }, FLAG)
		end,
		__newindex = function()
			error("USE flags cannot be assigned", 2)
		end,
		__metatable = false,
	})
end

expr.use = flag_source(false)
expr.unless = flag_source(true)

local function group(tag)
	return function(items)
		if type(items) ~= "table" or #items == 0 then
			error(tag .. " needs a list: " .. tag .. " { … }", 2)
		end
		return node(tag, { items = items })
	end
end

expr.any = group("any")
expr.one = group("one")
expr.at_most = group("at_most")

-- csv("--enable-languages", { "c", use.cxx "c++" }) → "--enable-languages=c,c++"
function expr.csv(option, items)
	return node("csv", { option = option, items = items })
end

local function switch(on, off)
	return function(option, flag, value)
		return node("switch", { on = on, off = off, option = option, flag = flag or option, value = value })
	end
end

-- enable "nls" → --enable-nls or --disable-nls; enable("libgomp", "openmp"); with("zstd", "zstd", "$EPREFIX/usr")
expr.enable = switch("--enable-", "--disable-")
expr.with = switch("--with-", "--without-")

-- feature "nls" → "enabled" or "disabled", what Meson's feature options want
function expr.feature(flag)
	return node("feature", { flag = flag })
end

function expr.is_node(value)
	local mt = getmetatable(value)
	return mt == NODE or mt == FLAG
end

local function is_group(value)
	return type(value) == "table" and not expr.is_node(value)
end

local function want(value, what)
	error(("%s cannot stand here"):format(what or type(value)), 0)
end

-- Call visit(flag) for each USE flag the expression asks about, also in atoms' own [flag?] conditions.
function expr.flags(value, visit)
	if type(value) == "string" then
		for deps in value:gmatch("%[(.-)%]") do
			for flag in deps:gmatch("!?([%w][%w+_@-]*)%(?[+-]?%)?[?=]") do
				visit(flag)
			end
		end
	elseif type(value) == "table" then
		if value.flag ~= nil and expr.is_node(value) then
			visit(value.flag)
		end
		local items = expr.is_node(value) and value.items or value
		for _, item in pairs(items or {}) do
			expr.flags(item, visit)
		end
	end
end

local print_item

local function print_items(items, in_group, out)
	for _, item in ipairs(items) do
		print_item(item, in_group, out)
	end
end

local function print_group(mark, items, in_group, out)
	out[#out + 1] = mark
	out[#out + 1] = "("
	print_items(items, in_group, out)
	out[#out + 1] = ")"
end

function print_item(item, in_group, out)
	if type(item) == "string" then
		out[#out + 1] = item
	elseif is_group(item) then
		if in_group then
			print_group(nil, item, false, out)
		else
			print_items(item, false, out)
		end
	elseif item.tag == "flag" then
		out[#out + 1] = (item.neg and "!" or "") .. item.flag
	elseif item.tag == "cond" then
		print_group((item.neg and "!" or "") .. item.flag .. "?", item.items, false, out)
	elseif GROUP_MARK[item.tag] then
		print_group(GROUP_MARK[item.tag], item.items, true, out)
	else
		want(item, item.tag)
	end
end

-- The expression as PMS writes it, on one line.
function expr.pms(value)
	local out = {}
	print_item(value, false, out)
	return (table.concat(out, " "):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

local function is_on(item, flags)
	return (flags[item.flag] or false) ~= (item.neg or false)
end

local reduce_item

-- The expression without its conditions: groups stay, flags (a set) decide.
function expr.resolve(value, flags)
	if not expr.is_node(value) then
		if type(value) ~= "table" then
			return value
		end
		local out = {}
		for _, item in ipairs(value) do
			local left = expr.resolve(item, flags)
			while is_group(left) and #left == 1 do
				left = left[1]
			end
			out[#out + 1] = not (is_group(left) and #left == 0) and left or nil
		end
		return out
	elseif value.tag == "cond" then
		return is_on(value, flags) and expr.resolve(value.items, flags) or {}
	elseif GROUP_MARK[value.tag] then
		local items = expr.resolve(value.items, flags)
		return #items > 0 and node(value.tag, { items = items }) or {}
	end
	return value
end

local function reduce_switch(item, flags)
	local value = item.value ~= nil and "=" .. item.value or ""
	return flags[item.flag] and item.on .. item.option .. value or item.off .. item.option
end

local function reduce_csv(item, flags)
	local parts = table.concat(expr.reduce(item.items, flags), ",")
	return item.option and item.option .. "=" .. parts or parts
end

function reduce_item(item, flags, out)
	if type(item) == "string" then
		out[#out + 1] = item
	elseif is_group(item) then
		for _, inner in ipairs(item) do
			reduce_item(inner, flags, out)
		end
	elseif item.tag == "cond" then
		if is_on(item, flags) then
			reduce_item(item.items, flags, out)
		end
	elseif item.tag == "switch" then
		out[#out + 1] = reduce_switch(item, flags)
	elseif item.tag == "csv" then
		out[#out + 1] = reduce_csv(item, flags)
	else
		want(item, item.tag)
	end
end

-- A flat list of strings: what the flags (a set: { nls = true }) leave of a list of options.
function expr.reduce(value, flags)
	local out = {}
	reduce_item(value, flags, out)
	return out
end

-- One value of an options map: string, boolean, or nil when its condition is not met.
function expr.value(value, flags)
	local kind = type(value)
	if kind == "boolean" or kind == "string" then
		return value
	elseif kind == "number" then
		return tostring(value)
	elseif is_group(value) then
		return table.concat(expr.reduce(value, flags), ";")
	elseif kind ~= "table" then
		want(value)
	elseif value.tag == "flag" then
		return is_on(value, flags)
	elseif value.tag == "switch" then
		return flags[value.flag] or false
	elseif value.tag == "feature" then
		return flags[value.flag] and "enabled" or "disabled"
	elseif value.tag == "cond" then
		return is_on(value, flags) and expr.value(value.items[1], flags) or nil
	end
	return table.concat(expr.reduce(value, flags), ";")
end

return expr
