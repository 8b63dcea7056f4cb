-- Primitives of deep learning, on the HIP back end.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Machine intelligence library of AMD",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/MIOpen",
	archives = { { "ROCmSoftwarePlatform/MIOpen/archive/rocm-3.5.0", "MIOpen-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocBLAS", "dev-util/rocm-clang-ocl" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	DEPEND = { "dev-libs/half", "dev-libs/boost:=", "dev-db/sqlite" },
	RDEPEND = { "dev-libs/boost:=", "dev-db/sqlite" },
	options = { MIOPEN_BACKEND = "HIP", MIOPEN_USE_MIOPENGEMM = false, BUILD_DEV = false, HALF_INCLUDE_DIR = "$EPREFIX/usr/include" },
}
