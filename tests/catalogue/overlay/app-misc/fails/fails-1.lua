-- Fails in the phase that its flags name, or waits while it compiles; does neither by default.
local function fail_in(phase)
	return function(b, super)
		super(b)
		if b.use["fail-" .. phase] then
			b:run { "sh", "-c", "echo \"$$1 was told to fail\"; exit 3", "sh", phase }
		end
	end
end

return make {
	DESCRIPTION = "A package that fails on request",
	LICENSE = "0BSD",
	KEYWORDS = "amd64 arm64 arm64-macos x64-macos",
	IUSE = "fail-prepare fail-configure fail-compile fail-install outside slow",
	sources = { "https://tiny.invalid/fails-$PV.tar.gz" },

	prepare = fail_in "prepare",
	configure = fail_in "configure",
	compile = function(b, super)
		if b.use.slow then
			b:make { "slow" }
		end
		fail_in "compile"(b, super)
	end,
	install = function(b, super)
		fail_in "install"(b, super)
		if b.use.outside then
			b:mkdir("$D/outside")
			b:write("$D/outside/file", "not in the prefix\n")
		end
	end,
}
