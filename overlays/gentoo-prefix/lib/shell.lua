-- shell: programs with a built-in /bin/sh get the prefix's own shell.
local shell = {}

-- The shell that programs installed by this step will find at run time.
function shell.path(b)
	if b.eprefix == b.target then
		return "$EPREFIX/bin/sh"
	end
	return "/bin/sh"
end

-- Replace each plain text in a file by the same text with the prefix's shell.
function shell.edit(b, file, text)
	if b.eprefix ~= b.target then
		return
	end
	b:edit(file, { from = text, to = (text:gsub("/bin/sh", "$EPREFIX/bin/sh")), all = true })
end

return shell
