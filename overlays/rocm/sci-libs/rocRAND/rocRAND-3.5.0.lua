-- Random numbers on the GPU.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Generate pseudo-random and quasi-random numbers",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocRAND",
	archives = { { "ROCmSoftwarePlatform/rocRAND/archive/rocm-3.5.0", "rocRAND-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false, BUILD_CRUSH_TEST = false },
}
