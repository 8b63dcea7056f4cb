-- The compiler of the release: clang and lld for AMDGPU and this machine, beside any other LLVM.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute llvm,lld,clang",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/llvm-project",
	archives = { { "RadeonOpenCompute/llvm-project/archive/rocm-3.5.1", "llvm-rocm-ocl-3.5.1.tar.gz" } },
	LICENSE = "UoI-NCSA rc BSD public-domain",
	IUSE = "debug +runtime",
	BDEPEND = { "dev-lang/python" },
	subdir = "llvm",
	mem = 1500,
	options = {
		CMAKE_INSTALL_PREFIX = "$EPREFIX/usr/lib/llvm/roc", CMAKE_INSTALL_RPATH = "$EPREFIX/usr/lib/llvm/roc/lib:$EPREFIX/usr/lib",
		LLVM_TARGETS_TO_BUILD = "AMDGPU;X86", LLVM_ENABLE_PROJECTS = "clang;lld;compiler-rt", LLVM_ENABLE_ASSERTIONS = use.debug,
		COMPILER_RT_BUILD_BUILTINS = use.runtime, COMPILER_RT_BUILD_SANITIZERS = false, COMPILER_RT_BUILD_XRAY = false,
		COMPILER_RT_BUILD_LIBFUZZER = false, COMPILER_RT_BUILD_PROFILE = false, LLVM_INCLUDE_TESTS = false, LLVM_INCLUDE_EXAMPLES = false,
		LLVM_INCLUDE_BENCHMARKS = false, LLVM_ENABLE_ZLIB = false, LLVM_ENABLE_LIBXML2 = false, LLVM_ENABLE_TERMINFO = false,
		LLVM_ENABLE_LIBEDIT = false, CLANG_DEFAULT_LINKER = "lld", GCC_INSTALL_PREFIX = "$EPREFIX/usr",
	},
}
