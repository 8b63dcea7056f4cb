-- One interface to Fourier transforms for ROCm and CUDA.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Wrapper of rocFFT and cuFFT",
	HOMEPAGE = "https://github.com/ROCm/hipFFT",
	archives = { {
		"ROCm/hipFFT/archive/refs/tags/rocm-6.4.3", "hipFFT-rocm-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/h/hipfft/hipfft_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocFFT" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS = false },
}
