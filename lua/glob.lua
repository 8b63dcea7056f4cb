-- glob: shell patterns (fnmatch(3)) as Lua patterns.
local glob = {}

-- "[!a-c]" at `at` as a Lua set and the position behind it; nil where no bracket closes it.
local function set(text, at)
	local i = at + 1
	local negated = text:match("^[!^]", i) and "^" or ""
	i = i + #negated
	local close = text:find("]", i + 1, true)
	if not close then
		return nil
	end
	-- Only "-" keeps its meaning; "]" as the first one and all else stand for themselves.
	local members = text:sub(i, close - 1):gsub("[%%%]%[%^]", "%%%0")
	return "[" .. negated .. members .. "]", close + 1
end

-- The pattern of a whole string. `*` and `?` match "/" as well: give one component where they must not.
function glob.pattern(text)
	local out, i = { "^" }, 1
	while i <= #text do
		local c = text:sub(i, i)
		local members, behind
		if c == "[" then
			members, behind = set(text, i)
		end
		if members then
			out[#out + 1], i = members, behind
		else
			out[#out + 1] = c == "*" and ".*" or c == "?" and "." or c:gsub("%W", "%%%0")
			i = i + 1
		end
	end
	out[#out + 1] = "$"
	return table.concat(out)
end

return glob
