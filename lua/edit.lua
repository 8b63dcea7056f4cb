-- edit: changes to a text that fail when they find nothing to change.
local edit = {}

local KEYS = { from = 1, to = 1, all = 1, pattern = 1, drop = 1, line = 1, with = 1, append = 1, prepend = 1 }

local function plain(text, from, to, all)
	local out, at, count = {}, 1, 0
	while true do
		local first, last = text:find(from, at, true)
		if not first or (count > 0 and not all) then
			break
		end
		out[#out + 1] = text:sub(at, first - 1) .. to
		at, count = last + 1, count + 1
	end
	out[#out + 1] = text:sub(at)
	return table.concat(out), count
end

-- Each line holding `mark` becomes what change(line) returns; nil drops it.
local function lines(text, mark, change)
	local count = 0
	local result = text:gsub("[^\n]*\n?", function(line)
		if line ~= "" and line:find(mark, 1, true) then
			count = count + 1
			return change(line)
		end
		return line
	end)
	return result, count
end

local function with_newline(text)
	return text:sub(-1) == "\n" and text or text .. "\n"
end

local function check(change)
	for key in pairs(change) do
		if not KEYS[key] then
			error(("an edit has no '%s'"):format(tostring(key)), 0)
		end
	end
	if change.from == "" or change.drop == "" or change.line == "" then
		error("an edit cannot look for an empty text", 0)
	end
end

-- One edit: the new text and how often it matched.
local function one(text, change)
	check(change)
	if change.from then
		return plain(text, change.from, change.to or "", change.all)
	elseif change.pattern then
		return text:gsub(change.pattern, change.to or "")
	elseif change.drop then
		return lines(text, change.drop, function() return "" end)
	elseif change.line then
		return lines(text, change.line, function() return with_newline(change.with or "") end)
	elseif change.append then
		return (text == "" and "" or with_newline(text)) .. with_newline(change.append), 1
	elseif change.prepend then
		return with_newline(change.prepend) .. text, 1
	end
	error("an edit says from, pattern, drop, line, append or prepend", 0)
end

-- The text after all edits, in order. Raises, naming the edit, when one matched nothing.
function edit.apply(text, changes)
	for i, change in ipairs(changes) do
		local count
		text, count = one(text, change)
		if count == 0 then
			error(("edit %d found nothing: %s"):format(i,
				change.from or change.pattern or change.drop or change.line), 0)
		end
	end
	return text
end

return edit
