-- Thrust's interface over rocPRIM, as headers.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "HIP back end of the parallel algorithm library Thrust",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocThrust",
	archives = { { "ROCmSoftwarePlatform/rocThrust/archive/rocm-3.5.0", "rocThrust-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocPRIM" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	LICENSE = "Apache-2.0",
	options = { BUILD_TEST = false },
}
