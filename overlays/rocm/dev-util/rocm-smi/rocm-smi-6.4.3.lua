-- Watching and setting GPUs: the library and the command; the fallback is 6.4.1.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm System Management Interface",
	HOMEPAGE = "https://github.com/ROCm/rocm_smi_lib",
	LICENSE = "UoI-NCSA",
	archives = { {
		"ROCm/rocm_smi_lib/archive/rocm-6.4.3", "rocm-smi-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocm-smi-lib/rocm-smi-lib_6.4.1.orig.tar.gz -> rocm-smi-6.4.1-debian.tar.gz",
	} },
	DEPEND = { "x11-libs/libdrm" },
	RDEPEND = { "x11-libs/libdrm", "dev-lang/python", "!dev-libs/rocm-smi-lib" },
	BDEPEND = { "dev-util/pkgconf" },
	options = { BUILD_TESTS = false },
}
