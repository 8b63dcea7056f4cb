-- Primitives of deep learning, on the HIP back end, without composable kernels, hipBLASLt and tuning by neural networks.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Machine intelligence library of AMD",
	HOMEPAGE = "https://github.com/ROCm/MIOpen",
	archives = { { "ROCm/MIOpen/archive/refs/tags/rocm-6.4.3", "MIOpen-6.4.3.tar.gz" } },
	needs = { "dev-util/hip", "dev-libs/rocm-comgr" },
	gpu_needs = { "sci-libs/rocBLAS", "sci-libs/hipBLAS", "sci-libs/rocRAND" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	DEPEND = { ">=dev-libs/half-2.2.0", "dev-cpp/nlohmann_json", "dev-libs/boost:=", "dev-db/sqlite", "app-arch/bzip2", "app-arch/zstd" },
	RDEPEND = { "dev-libs/boost:=", "dev-db/sqlite", "app-arch/bzip2", "app-arch/zstd" },
	options = {
		MIOPEN_BACKEND = "HIP", MIOPEN_USE_COMPOSABLEKERNEL = false, MIOPEN_USE_HIPBLASLT = false, MIOPEN_USE_MLIR = false, BUILD_TESTING = false,
		MIOPEN_ENABLE_AI_KERNEL_TUNING = false, MIOPEN_ENABLE_AI_IMMED_MODE_FALLBACK = false, Boost_USE_STATIC_LIBS = false,
	},
}
