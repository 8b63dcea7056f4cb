-- dfsg: Debian drops manuals under the GFDL from some archives, and the makefiles then miss them.
local dfsg = {}

local targets = {
	"all", "check", "install", "install-exec", "install-data", "installcheck", "install-strip",
	"uninstall", "clean", "distclean", "mostlyclean", "maintainer-clean", "info", "install-info",
	"html", "install-html", "dvi", "pdf", "ps", "tags", "ctags",
}

-- Stand in for a missing doc directory: a Makefile.in whose usual targets do nothing.
function dfsg.doc(b, dir)
	dir = dir or "doc"
	if b:exists(dir .. "/Makefile.in") then
		return false
	end
	b:mkdir(dir)
	b:write(dir .. "/Makefile.in", table.concat(targets, " ") .. ":\n.PHONY: " .. table.concat(targets, " ") .. "\n")
	return true
end

return dfsg
