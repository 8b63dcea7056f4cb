-- CMake modules that the release builds with. Where upstream's archive does not come, Debian's package holds the same modules as
-- they are installed, of 6.3.2.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "CMake modules of ROCm",
	HOMEPAGE = "https://github.com/ROCm/rocm-cmake",
	archives = { {
		"ROCm/rocm-cmake/archive/rocm-6.4.3", "rocm-cmake-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocm-cmake/rocm-cmake_6.3.2-1_all.deb -> rocm-cmake-6.3.2-debian.deb",
	} },

	configure = function(b)
		if not b:exists "$S/CMakeLists.txt" then
			b:write("$S/CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(rocm-cmake NONE)\n"
				.. "install(DIRECTORY share/rocm share/rocmcmakebuildtools DESTINATION share)\n")
		end
	end,
}
