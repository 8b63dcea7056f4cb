-- What ROCm compiles with: clang and lld with the back ends for AMD GPUs and for this machine, and nothing else of LLVM.
local BACK_END = { amd64 = "X86", arm64 = "AArch64" }

-- Two thirds of the archive's 175,000 files are never looked at.
local REST = {
	"llvm/test/*", "clang/test/*", "lld/test/*", "compiler-rt/test/*", "libcxx/*", "lldb/*", "mlir/*", "flang/*", "flang-rt/*",
	"clang-tools-extra/*", "polly/*", "bolt/*", "libclc/*", "openmp/*", "offload/*", "cross-project-tests/*",
}

-- clang finds the prefix's C library and the gcc whose C++ library it uses by these; a guest prefix has the host's.
local function config(b)
	local lines = { "-Wl,-rpath,$EPREFIX/usr/lib", "-L$EPREFIX/usr/lib" }
	if not b.tools.guest then
		table.insert(lines, 1, "-Wl,--dynamic-linker=$EPREFIX/usr/lib/" .. b.tools.loader)
	end
	-- "$" in front: heard when something is linked only.
	for i, line in ipairs(lines) do
		lines[i] = "$$" .. line
	end
	return table.concat(lines, "\n") .. "\n"
end

return cmake {
	DESCRIPTION = "The LLVM compiler for AMD GPUs and this machine: clang, lld and their libraries",
	HOMEPAGE = "https://llvm.org/",
	LICENSE = "Apache-2.0-with-LLVM-exceptions UoI-NCSA BSD public-domain rc",
	SLOT = "21",
	KEYWORDS = "~amd64 ~arm64",
	IUSE = "+compiler-rt debug",
	DEPEND = { "app-arch/zstd:=", "sys-libs/zlib:=" },
	RDEPEND = { "app-arch/zstd:=", "sys-libs/zlib:=" },
	BDEPEND = { "dev-lang/python" },
	sources = { any {
		{ "https://github.com/llvm/llvm-project/releases/download/llvmorg-$PV/llvm-project-$PV.src.tar.xz", except = REST },
		{ "mirror://debian/pool/main/l/llvm-toolchain-21/llvm-toolchain-21_$PV.orig.tar.xz -> llvm-project-$PV-debian.tar.xz", except = REST },
	} },
	subdir = "llvm",
	mem = 1500,
	options = function(b)
		local top = "$EPREFIX/usr/lib/llvm/$SLOT"
		return {
			CMAKE_INSTALL_PREFIX = top, CMAKE_INSTALL_RPATH = top .. "/lib:$EPREFIX/usr/lib",
			LLVM_TARGETS_TO_BUILD = "AMDGPU;" .. BACK_END[b.host.arch], LLVM_DEFAULT_TARGET_TRIPLE = "$CHOST",
			LLVM_ENABLE_PROJECTS = b.use["compiler-rt"] and "clang;lld;compiler-rt" or "clang;lld",
			LLVM_ENABLE_ASSERTIONS = b.use.debug, DEFAULT_SYSROOT = b.tools.guest and "" or "$EPREFIX",
			LLVM_BUILD_LLVM_DYLIB = true, LLVM_LINK_LLVM_DYLIB = true, CLANG_LINK_CLANG_DYLIB = true,
			LLVM_ENABLE_ZLIB = "FORCE_ON", LLVM_ENABLE_ZSTD = "FORCE_ON", LLVM_ENABLE_LIBXML2 = false, LLVM_ENABLE_LIBEDIT = false,
			LLVM_ENABLE_LIBPFM = false, LLVM_ENABLE_BINDINGS = false, LLVM_INCLUDE_TESTS = false, LLVM_INCLUDE_EXAMPLES = false,
			LLVM_INCLUDE_BENCHMARKS = false, LLVM_INCLUDE_DOCS = false, LLVM_BUILD_UTILS = false, LLVM_PARALLEL_LINK_JOBS = "1",
			CLANG_ENABLE_STATIC_ANALYZER = false, CLANG_INCLUDE_DOCS = false, CLANG_INCLUDE_TESTS = false,
			COMPILER_RT_BUILD_CRT = false, COMPILER_RT_BUILD_SANITIZERS = false, COMPILER_RT_BUILD_XRAY = false,
			COMPILER_RT_BUILD_LIBFUZZER = false, COMPILER_RT_BUILD_PROFILE = false, COMPILER_RT_BUILD_MEMPROF = false,
			COMPILER_RT_BUILD_ORC = false, COMPILER_RT_BUILD_CTX_PROFILE = false,
			COMPILER_RT_INCLUDE_TESTS = false,
		}
	end,

	install = function(b, super)
		super(b)
		for _, name in ipairs { "clang", "clang++" } do
			b:write("$ED/usr/lib/llvm/21/bin/" .. name .. ".cfg", config(b))
		end
	end,
}
