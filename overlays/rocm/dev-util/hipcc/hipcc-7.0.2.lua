-- hipcc and hipconfig: clang with the options that HIP wants.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Compiler driver for HIP",
	HOMEPAGE = "https://github.com/ROCm/llvm-project/tree/amd-staging/amd/hipcc",
	archives = { {
		"ROCm/llvm-project/archive/rocm-7.0.2", "llvm-project-rocm-7.0.2.tar.gz", only = { "amd/*" },
		mirror = "mirror://debian/pool/main/r/rocm-llvm/rocm-llvm_7.0.2+dfsg.orig.tar.xz -> rocm-llvm-7.0.2-debian.tar.xz",
	} },
	RDEPEND = { "llvm-core/llvm:21[compiler-rt]", "dev-libs/rocm-device-libs:0/6.4=" },
	subdir = "amd/hipcc",
	options = { HIPCC_BACKWARD_COMPATIBILITY = false },

	prepare = function(b)
		b:edit("src/hipBin_amd.h", { from = "lib/llvm/bin", to = "lib/llvm/21/bin" })
		b:edit("CMakeLists.txt", { from = "  libstdc++fs.so)", to = ")" })
	end,
}
