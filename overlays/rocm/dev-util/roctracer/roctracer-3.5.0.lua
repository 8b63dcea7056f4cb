-- Traces calls into the runtimes.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Callback and activity tracing of HIP and HSA",
	HOMEPAGE = "https://github.com/ROCm-Developer-Tools/roctracer",
	archives = { { "ROCm-Developer-Tools/roctracer/archive/rocm-3.5.0", "rocm-tracer-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocr-runtime", "sys-devel/llvm-roc", "sys-devel/hip" },
	IUSE = "debug",
	BDEPEND = { "dev-lang/python", "dev-python/CppHeaderParser", "dev-python/ply" },
	options = { HIP_PATH = "$EPREFIX/usr", CMAKE_BUILD_TYPE = "Release" },
}
