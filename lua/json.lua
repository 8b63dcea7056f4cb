-- json: host facts and options as text (RFC 8259). Objects are written with sorted keys; null reads as nil.
local json = {}

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quoted(text)
	return '"' .. text:gsub('[%c"\\]', function(c)
		return ESCAPES[c] or ("\\u%04x"):format(c:byte())
	end) .. '"'
end

local encode

local function encode_table(value)
	local out, names = {}, {}
	if value[1] ~= nil or next(value) == nil then
		for i, item in ipairs(value) do
			out[i] = encode(item)
		end
		return "[" .. table.concat(out, ",") .. "]"
	end
	for name in pairs(value) do
		names[#names + 1] = name
	end
	table.sort(names)
	for i, name in ipairs(names) do
		out[i] = quoted(name) .. ":" .. encode(value[name])
	end
	return "{" .. table.concat(out, ",") .. "}"
end

function encode(value)
	local kind = type(value)
	if kind == "table" then
		return encode_table(value)
	elseif kind == "string" then
		return quoted(value)
	elseif kind == "number" or kind == "boolean" then
		return tostring(value)
	end
	error("cannot write a " .. kind .. " as JSON", 0)
end
json.encode = encode

local function fail(text, at)
	error(("not JSON at byte %d: %s"):format(at, text:sub(at, at + 20)), 0)
end

local function skip(text, at)
	return text:find("[^ \t\r\n]", at) or #text + 1
end

local UNESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function decode_string(text, at)
	local out, i = {}, at + 1
	while true do
		local stop = text:find('["\\]', i) or fail(text, at)
		out[#out + 1] = text:sub(i, stop - 1)
		if text:sub(stop, stop) == '"' then
			return table.concat(out), stop + 1
		end
		local c = text:sub(stop + 1, stop + 1)
		local hex = c == "u" and (text:match("^%x%x%x%x", stop + 2) or fail(text, stop))
		out[#out + 1] = hex and utf8.char(tonumber(hex, 16)) or UNESCAPES[c] or c
		i = stop + (hex and 6 or 2)
	end
end

local decode

-- The items of an array or object: read(at) takes one and returns what follows it.
local function decode_items(text, at, close, read)
	at = skip(text, at + 1)
	if text:sub(at, at) == close then
		return at + 1
	end
	while true do
		at = skip(text, read(at))
		local c = text:sub(at, at)
		if c == close then
			return at + 1
		elseif c ~= "," then
			fail(text, at)
		end
		at = skip(text, at + 1)
	end
end

local function decode_array(text, at)
	local out = {}
	return out, decode_items(text, at, "]", function(from)
		local value, after = decode(text, from)
		out[#out + 1] = value
		return after
	end)
end

local function decode_object(text, at)
	local out = {}
	return out, decode_items(text, at, "}", function(from)
		if text:sub(from, from) ~= '"' then
			fail(text, from)
		end
		local name, after = decode_string(text, from)
		after = skip(text, after)
		if text:sub(after, after) ~= ":" then
			fail(text, after)
		end
		out[name], after = decode(text, after + 1)
		return after
	end)
end

local WORDS = { { "true", true }, { "false", false }, { "null", nil } }

function decode(text, at)
	at = skip(text, at)
	local c = text:sub(at, at)
	if c == "{" then
		return decode_object(text, at)
	elseif c == "[" then
		return decode_array(text, at)
	elseif c == '"' then
		return decode_string(text, at)
	end
	for _, word in ipairs(WORDS) do
		if text:sub(at, at + #word[1] - 1) == word[1] then
			return word[2], at + #word[1]
		end
	end
	local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at) or fail(text, at)
	return math.tointeger(tonumber(number)) or tonumber(number), at + #number
end

-- The value of a JSON text; nil for an empty one.
function json.decode(text)
	if text == nil or text == "" then
		return nil
	end
	local value, after = decode(text, 1)
	if skip(text, after) <= #text then
		fail(text, after)
	end
	return value
end

return json
