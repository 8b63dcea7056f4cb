-- Declarations that hipBLAS and hipBLASLt share.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Common files of hipBLAS and hipBLASLt",
	HOMEPAGE = "https://github.com/ROCm/hipBLAS-common",
	archives = { { "ROCm/hipBLAS-common/archive/refs/tags/rocm-6.4.3", "hipBLAS-common-6.4.3.tar.gz" } },
	build_needs = { "dev-build/rocm-cmake" },
}
