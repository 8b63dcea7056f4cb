-- The small build system that cmake and meson write for.
local shell = lib "shell"

return plain {
	DESCRIPTION = "A small build system similar to make",
	HOMEPAGE = "https://ninja-build.org/",
	LICENSE = "Apache-2.0",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	BDEPEND = { "dev-lang/python" },
	sources = { any {
		"https://github.com/ninja-build/ninja/archive/v$PV.tar.gz -> ninja-$PV.tar.gz",
		"mirror://debian/pool/main/n/ninja-build/ninja-build_$PV.orig.tar.gz -> ninja-$PV.tar.gz",
	} },
	in_source = true,

	prepare = function(b, super)
		super(b)
		shell.edit(b, "src/subprocess-posix.cc", '"/bin/sh"')
	end,
	compile = function(b) b:run { "python3", "configure.py", "--bootstrap", "--verbose", env = { CFLAGS = "$CXXFLAGS" } } end,
	install = function(b) b:dobin("ninja") end,
}
