-- autotools: a configure script in the GNU manner, built outside the source.
local gnuconfig = require("gnuconfig")
local px = require("px")
local system = require("system")

local STANDARD = {
	"--prefix=$EPREFIX/usr", "--build=$CBUILD", "--host=$CHOST", "--sysconfdir=$EPREFIX/etc",
	"--localstatedir=$EPREFIX/var", "--libdir=$EPREFIX/usr/lib", "--mandir=$EPREFIX/usr/share/man",
	"--infodir=$EPREFIX/usr/share/info",
}

-- Given only to scripts that know them.
local WHEN_KNOWN = {
	["disable-dependency-tracking"] = "--disable-dependency-tracking",
	["disable-silent-rules"] = "--disable-silent-rules",
	["docdir"] = "--docdir=$EPREFIX/usr/share/doc/$PF",
}

local function prepare(b)
	system.prepare(b)
	if b.spec.autoreconf and not b:exists("configure") then
		b:run({ "autoreconf", "-f", "-i", cwd = "$S" })
	end
	gnuconfig.refresh(b)
end

local function arguments(b, script)
	local text = px.fs.read(script) or b:die("there is no configure script in $S")
	local args = { "$CONFIG_SHELL", "$S/configure" }
	table.move(STANDARD, 1, #STANDARD, #args + 1, args)
	for _, option in ipairs({ "disable-dependency-tracking", "disable-silent-rules", "docdir" }) do
		if text:find("--" .. option, 1, true) then
			args[#args + 1] = WHEN_KNOWN[option]
		end
	end
	for _, option in ipairs(b:options()) do
		args[#args + 1] = option:gsub("%$", "$$$$")
	end
	return args
end

-- The part of config.log that explains a failed check goes to the log: its last compiler error with what led to it.
local function explain(b)
	local text = px.fs.read(b.build .. "/config.log") or ""
	local body = text:match("^(.-)\n## %-+ ##\n## Cache variables") or text
	for line in body:sub(-3000):gmatch("[^\n]+") do
		px.log(b.log_fd, "config.log: " .. line)
	end
end

local function configure(b)
	system.fresh_build(b)
	local args = arguments(b, b.s .. "/configure")
	local ok, failure = pcall(b.run, b, args)
	if not ok then
		explain(b)
		error(failure, 0)
	end
end

local function make(...)
	local targets = { ... }
	return function(b)
		local args = b:list("make_args")
		b:make(table.move(targets, 1, #targets, #args + 1, args))
	end
end

return system.new({
	name = "autotools",
	extend = function(spec)
		return spec.autoreconf and { BDEPEND = { "dev-build/autoconf", "dev-build/automake", "dev-build/libtool" } } or {}
	end,
	prepare = prepare,
	configure = configure,
	compile = make(),
	test = make("check"),
	install = make("install", "DESTDIR=$D"),
})
