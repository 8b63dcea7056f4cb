-- CUB's interface over rocPRIM, as headers.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Wrapper of rocPRIM and CUB",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/hipCUB",
	archives = { { "ROCmSoftwarePlatform/hipCUB/archive/rocm-3.5.0", "hipCUB-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocPRIM" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	LICENSE = "BSD",
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false },
}
