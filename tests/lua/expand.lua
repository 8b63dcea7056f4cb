-- $NAME in strings.
local equal = ...
local expand = require("expand")

local vars = { PV = "1.2", PN = "make", S = "/s", D = "/d" }

local function text(from)
	return expand.text(from, vars)
end

local function failure(from)
	local ok, message = pcall(expand.text, from, vars)
	return not ok and message or "none"
end

return {
	names_are_replaced = function()
		equal(text("$PN-$PV.tar"), "make-1.2.tar")
		equal(text("${PN}x$PV"), "makex1.2")
		equal(text("$S/$D"), "/s//d")
		equal(text("$PN$PV"), "make1.2")
		equal(text("{$PN}"), "{make}")
		equal(text("$${x}$PN}"), "${x}make}")
	end,
	a_dollar_is_written_twice = function()
		equal(text("$$PN costs 5$$"), "$PN costs 5$")
		equal(text("$$$PN"), "$make")
		equal(text("$$$$"), "$$")
	end,
	what_shells_and_makefiles_write_stays = function()
		for _, same in ipairs({ "$(CC) $@ $< $1", "\"$@\"", "${prefix}/lib", "${0%/*}", "$here/x", "100$", "$ x", "${0}" }) do
			equal(text(same), same)
		end
	end,
	contents_keep_what_is_not_ours = function()
		local function content(from)
			return expand.content(from, vars)
		end
		equal(content("$PN $NOPE ${NOPE} ${PN} $(X) $$ $$x"), "make $NOPE ${NOPE} make $(X) $$ $$x")
		equal(content("$$PN $${PN} $$NOPE"), "$PN ${PN} $$NOPE")
		equal(content("echo $PATH | sed 's/x$/y/'"), "echo $PATH | sed 's/x$/y/'")
	end,
	unknown_names_are_errors = function()
		equal(failure("x $NOPE y"), "unknown $NOPE (write $$ for a dollar sign)")
		equal(failure("${NOPE}"), "unknown $NOPE (write $$ for a dollar sign)")
	end,
	load_variables_come_from_the_place = function()
		local v = expand.load_vars({ category = "sys-devel", pn = "gcc", pvr = "14.2.0-r3" })
		equal(table.concat({ v.PN, v.PV, v.P, v.PR, v.PVR, v.PF, v.CATEGORY, v.MAJOR, v.MINOR }, " "),
			"gcc 14.2.0 gcc-14.2.0 r3 14.2.0-r3 gcc-14.2.0-r3 sys-devel 14 2")
		v = expand.load_vars({ category = "a", pn = "less", pvr = "668" })
		equal(table.concat({ v.PR, v.MAJOR, v.MINOR }, " "), "r0 668 0")
	end,
	tables_are_copied = function()
		local from = { "$PN", { x = "$PV" }, 3, true }
		local to = expand.deep(from, vars)
		equal(to[1] .. to[2].x .. tostring(to[3]) .. tostring(to[4]), "make1.23true")
		equal(from[1], "$PN")
	end,
}
