-- Traces calls into the runtimes; the fallback is 6.4.1.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Callback and activity tracing of HIP and HSA",
	HOMEPAGE = "https://github.com/ROCm/roctracer",
	archives = { {
		"ROCm/roctracer/archive/rocm-6.4.3", "roctracer-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/roctracer/roctracer_6.4.1.orig.tar.gz -> roctracer-6.4.1-debian.tar.gz",
	} },
	needs = { "dev-util/hip", "dev-libs/rocr-runtime", "dev-libs/rocm-comgr" },
	BDEPEND = { "dev-lang/python", "dev-python/CppHeaderParser", "dev-python/ply" },

	prepare = function(b)
		-- The tests want hipcc and a card.
		b:edit("CMakeLists.txt", { from = "  add_subdirectory(test)", to = "" }, { from = "-Wall -Werror", to = "-Wall" })
	end,
}
