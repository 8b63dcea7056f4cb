-- Dense linear algebra, without the generated kernels of Tensile; the fallback is 6.4.4.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "AMD's library for BLAS on ROCm",
	HOMEPAGE = "https://github.com/ROCm/rocBLAS",
	LICENSE = "BSD",
	archives = { {
		"ROCm/rocBLAS/archive/rocm-6.4.3", "rocm-rocBLAS-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocblas/rocblas_6.4.4.orig.tar.gz -> rocBLAS-6.4.4-debian.tar.gz",
	} },
	needs = { "dev-util/hip", "dev-util/roctracer" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	BDEPEND = { "dev-lang/python" },
	options = { BUILD_WITH_TENSILE = false, BUILD_WITH_HIPBLASLT = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_CLIENTS_SAMPLES = false },

	prepare = function(b)
		-- Asked for the commit, which an archive does not tell.
		b:edit("library/CMakeLists.txt", { from = "find_package(Git REQUIRED)", to = "set(GIT_EXECUTABLE true)" })
	end,
}
