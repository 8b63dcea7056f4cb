-- The HIP runtime and its run-time compiler. HIP's own headers are another archive of upstream's; where that does not come,
-- Debian's package of 6.4.3 holds them and HIP's CMake modules as they are installed. Of OpenGL and X11 only declarations are
-- used: the libraries are looked for when a program shares buffers with them.
local rocm = lib "rocm"

local GL = {
	{ "mirror://debian/pool/main/libg/libglvnd/libglvnd_1.7.0.orig.tar.gz -> libglvnd-1.7.0-debian.tar.gz", into = "gl", only = { "include/GL/*", "include/EGL/*", "include/KHR/*" } },
	{ "mirror://debian/pool/main/libx/libx11/libx11_1.8.12.orig.tar.gz -> libX11-1.8.12-debian.tar.gz", into = "gl", only = { "include/X11/*" } },
	{ "mirror://debian/pool/main/x/xorgproto/x11proto-dev_2024.1-1_all.deb -> xorgproto-2024.1-debian.deb", into = "gl", only = { "include/X11/*" } },
}

-- What upstream's archive has and Debian's package has elsewhere, or not at all.
local function like_upstream(b)
	if b:exists "$S/hip/VERSION" then
		return
	end
	b:write("$S/hip/VERSION", "#HIP_VERSION_MAJOR\n6\n#HIP_VERSION_MINOR\n4\n#HIP_VERSION_PATCH\n43484\n")
	b:mkdir "$S/hip/bin"
	b:mkdir "$S/hip/cmake"
	for _, path in ipairs(b:glob "$S/hip/lib/x86_64-linux-gnu/cmake/hip/FindHIP*") do
		b:move(path, "$S/hip/cmake/")
	end
end

return rocm.package {
	release = "6.4",
	DESCRIPTION = "C++ runtime and kernel language for AMD GPUs",
	HOMEPAGE = "https://github.com/ROCm/clr",
	archives = {
		{ "ROCm/clr/archive/refs/tags/rocm-6.4.3", "rocm-clr-6.4.3.tar.gz", mirror = "mirror://debian/pool/main/r/rocm-hipamd/rocm-hipamd_6.4.3.orig.tar.gz" },
		{
			"ROCm/HIP/archive/refs/tags/rocm-6.4.3", "hip-6.4.3.tar.gz", into = "hip",
			mirror = "mirror://debian/pool/main/r/rocm-hipamd/libamdhip64-dev_6.4.3-5_amd64.deb -> hip-6.4.3-debian.deb",
		},
	},
	more_sources = GL,
	needs = { "dev-util/hipcc", "dev-libs/rocm-comgr", "dev-libs/rocm-device-libs", "dev-libs/rocr-runtime" },
	build_needs = { "llvm-core/llvm" },
	DEPEND = { "sys-process/numactl" },
	RDEPEND = { "sys-process/numactl", "dev-lang/perl" },
	BDEPEND = { "dev-lang/python", "dev-lang/perl" },
	mem = 1000,
	options = function()
		return {
			CLR_BUILD_HIP = true, CLR_BUILD_OCL = false, HIP_PLATFORM = "amd", HIP_COMMON_DIR = "$S/hip", HIPCC_BIN_DIR = "$EPREFIX/usr/bin",
			ROCM_PATH = "$EPREFIX/usr", HIP_LLVM_ROOT = rocm.llvm "6.4", USE_PROF_API = false, HIP_ENABLE_ROCPROFILER_REGISTER = false,
			__HIP_ENABLE_PCH = false, CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES = "$S/gl/include",
			clang = rocm.llvm "6.4" .. "/bin/clang", ["llvm-mc"] = rocm.llvm "6.4" .. "/bin/llvm-mc",
		}
	end,

	prepare = function(b)
		like_upstream(b)
		b:edit("rocclr/cmake/ROCclrHSA.cmake", { from = "find_package(OpenGL REQUIRED)", to = "" })
		b:edit("hipamd/src/CMakeLists.txt", { from = " -Werror\")", to = "\")", all = true })
		-- hipcc is a package of its own.
		b:edit("hipamd/CMakeLists.txt", { from = "if (NOT ${HIPCC_BIN_DIR} STREQUAL \"\")", to = "if (FALSE)" })
	end,
}
