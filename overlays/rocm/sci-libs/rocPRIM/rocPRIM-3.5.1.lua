-- Parallel primitives, as headers.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "HIP parallel primitives for developing performant GPU-accelerated code on AMD ROCm platform",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocPRIM",
	archives = { { "ROCmSoftwarePlatform/rocPRIM/archive/rocm-3.5.1", "rocPRIM-3.5.1.tar.gz" } },
	needs = { "sys-devel/hip" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false },
}
