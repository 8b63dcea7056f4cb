-- Compiles and links kernels at run time.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm code object manager",
	HOMEPAGE = "https://github.com/ROCm/llvm-project/tree/amd-staging/amd/comgr",
	LICENSE = "UoI-NCSA",
	archives = { {
		"ROCm/llvm-project/archive/rocm-7.0.2", "llvm-project-rocm-7.0.2.tar.gz", only = { "amd/*" },
		mirror = "mirror://debian/pool/main/r/rocm-llvm/rocm-llvm_7.0.2+dfsg.orig.tar.xz -> rocm-llvm-7.0.2-debian.tar.xz",
	} },
	needs = { "dev-libs/rocm-device-libs", "llvm-core/llvm" },
	DEPEND = { "app-arch/zstd", "sys-libs/zlib" },
	RDEPEND = { "app-arch/zstd", "sys-libs/zlib" },
	subdir = "amd/comgr",
	mem = 1500,
	options = function()
		return {
			BUILD_TESTING = false, COMGR_DISABLE_SPIRV = true, CMAKE_INSTALL_RPATH = rocm.llvm "6.4" .. "/lib:$EPREFIX/usr/lib",
			AMDDeviceLibs_DIR = "$EPREFIX/usr/lib/cmake/AMDDeviceLibs",
		}
	end,
}
