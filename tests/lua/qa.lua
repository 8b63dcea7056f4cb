-- Rules about images, as far as they are pure.
local equal = ...
local layout = require("qa.layout")
local mask = require("qa.mask")
local shebang = require("qa.shebang")

return {
	merged_directories = function()
		equal(layout.merged("bin/x"), "usr/bin/x")
		equal(layout.merged("usr/sbin/x"), "usr/bin/x")
		equal(layout.merged("lib64"), "usr/lib")
		equal(layout.merged("usr/lib64/a/b"), "usr/lib/a/b")
		equal(layout.merged("library/x"), "library/x")
		equal(layout.merged("usr/libexec/x"), "usr/libexec/x")
	end,
	relative_paths = function()
		equal(layout.relative("usr/bin", "usr/lib/x"), "../lib/x")
		equal(layout.relative("usr/lib", "usr/lib/x"), "x")
		equal(layout.relative("usr/lib/a", "etc/x"), "../../../etc/x")
		equal(layout.relative("usr/lib", "usr"), "..")
		equal(layout.relative("usr", "usr"), ".")
	end,
	interpreters_of_the_host_become_the_prefixes = function()
		equal(shebang.line("#!/bin/sh", "/p"), "#!/p/bin/sh")
		equal(shebang.line("#! /usr/bin/env python3", "/p"), "#! /p/usr/bin/env python3")
		equal(shebang.line("#!/bin/bash -e", "/p"), "#!/p/usr/bin/bash -e")
		equal(shebang.line("#!/b/usr/bin/perl -w", "/p", "/b"), "#!/p/usr/bin/perl -w")
	end,
	others_stay = function()
		equal(shebang.line("#!/p/bin/sh", "/p"), nil)
		equal(shebang.line("#!/opt/x/bin/tool", "/p"), nil)
		equal(shebang.line("#!perl", "/p"), nil)
		equal(shebang.line("plain text", "/p"), nil)
	end,
	install_mask = function()
		local paths = { "usr/share/doc", "usr/share/doc/x", "usr/share/doc/x/README", "usr/share/docbook", "usr/lib/liba.la", "etc/a.conf" }
		local function left(words)
			return table.concat(mask.select(words, paths), " ")
		end
		equal(left "", "")
		equal(left "/usr/share/doc", "usr/share/doc usr/share/doc/x usr/share/doc/x/README")
		equal(left "/usr/share/doc/", "usr/share/doc usr/share/doc/x usr/share/doc/x/README")
		equal(left "*.la README", "usr/share/doc/x/README usr/lib/liba.la")
		equal(left "/usr/*.la", "usr/lib/liba.la")
		equal(left "/usr/share/doc -README", "usr/share/doc usr/share/doc/x")
		equal(left "-README README", "usr/share/doc/x/README")
		equal(left "/usr/share/do?", "usr/share/doc usr/share/doc/x usr/share/doc/x/README")
	end,
}
