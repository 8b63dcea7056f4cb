-- Collectives between GPUs.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "ROCm Communication Collectives Library (RCCL)",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rccl",
	archives = { { "ROCmSoftwarePlatform/rccl/archive/rocm-3.5.0", "rccl-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	LICENSE = "BSD",
	options = { BUILD_TESTS = false },
}
