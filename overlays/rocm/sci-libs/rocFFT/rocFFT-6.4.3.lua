-- Fourier transforms on the GPU.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Next generation FFT implementation for ROCm",
	HOMEPAGE = "https://github.com/ROCm/rocFFT",
	archives = { {
		"ROCm/rocFFT/archive/refs/tags/rocm-6.4.3", "rocFFT-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocfft/rocfft_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	DEPEND = { "dev-db/sqlite" },
	RDEPEND = { "dev-db/sqlite" },
	BDEPEND = { "dev-lang/python" },
	options = { SQLITE_USE_SYSTEM_PACKAGE = true, ROCFFT_KERNEL_CACHE_ENABLE = false, BUILD_CLIENTS = false },
}
