-- Parallel primitives, as headers.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "HIP parallel primitives for developing performant GPU-accelerated code",
	HOMEPAGE = "https://github.com/ROCm/rocPRIM",
	archives = { {
		"ROCm/rocPRIM/archive/refs/tags/rocm-6.4.3", "rocPRIM-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocprim/rocprim_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false },
}
