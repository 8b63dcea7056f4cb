-- Translates CUDA to HIP; 7.0.2 is the one made for LLVM 21.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "CUDA to HIP translator",
	HOMEPAGE = "https://github.com/ROCm/HIPIFY",
	archives = { {
		"ROCm/HIPIFY/archive/rocm-7.0.2", "HIPIFY-7.0.2.tar.gz",
		mirror = "mirror://debian/pool/main/h/hipify/hipify_7.0.2+dfsg.orig.tar.xz -> HIPIFY-7.0.2-debian.tar.xz",
	} },
	needs = { "llvm-core/llvm" },
}
