-- Collectives between GPUs.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm Communication Collectives Library (RCCL)",
	HOMEPAGE = "https://github.com/ROCm/rccl",
	LICENSE = "BSD",
	archives = { { "ROCm/rccl/archive/rocm-6.4.3", "rccl-6.4.3.tar.gz" } },
	needs = { "dev-util/hip", "dev-util/rocm-smi" },
	build_needs = { "dev-build/rocm-cmake", "dev-util/hipify-clang" },
	gpu = true,
	DEPEND = { "dev-libs/libfmt" },
	options = { BUILD_TESTS = false, RCCL_ROCPROFILER_REGISTER = false, ENABLE_MSCCLPP = false },
}
