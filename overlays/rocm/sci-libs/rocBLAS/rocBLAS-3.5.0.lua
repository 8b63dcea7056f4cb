-- Dense linear algebra; without the generated kernels of Tensile, whose two archives of this release disagree.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "AMD's library for BLAS on ROCm",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocBLAS",
	archives = { { "ROCmSoftwarePlatform/rocBLAS/archive/rocm-3.5.0", "rocm-rocBLAS-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	IUSE = "debug",
	RESTRICT = "strip",
	BDEPEND = { "dev-lang/python" },
	options = { BUILD_CLIENTS_SAMPLES = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_WITH_TENSILE = false },
}
