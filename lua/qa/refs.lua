-- refs: scripts, symlinks and build information of a finished prefix name nothing outside it, and nothing that will
-- be gone. Objects are qa.elf's.
local px = require("px")

local refs = {}

-- What only concerns who looks at it: how the package was built, who may write.
local function is_harmless(b, flaw)
	return flaw.kind == "mode" or (flaw.kind == "text" and flaw.detail:find(b.workdir, 1, true) ~= nil)
end

-- Look through the image; with tools.leaks what refers to the host fails the phase.
function refs.check(b)
	if not b.tools.leaks then
		return
	end
	local wrong = {}
	for _, flaw in ipairs(px.leaks(b.ed, { eprefix = b.target, guest = b.tools.guest, gone = { b.workdir } })) do
		local line = flaw.path .. ": " .. flaw.detail
		if is_harmless(b, flaw) then
			b:warn((line:gsub("%$", "$$")))
		else
			wrong[#wrong + 1] = line
		end
	end
	if #wrong > 0 then
		error({
			what = "qa.refs", code = px.ERR_BUILD,
			message = ("%d references to the host in what %s installs:\n%s"):format(#wrong, b.pf,
				table.concat(wrong, "\n", 1, math.min(#wrong, 8))),
		}, 0)
	end
end

return refs
