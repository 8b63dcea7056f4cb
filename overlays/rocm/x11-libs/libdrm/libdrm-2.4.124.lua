-- The kernel's graphics drivers from user space; of the libraries for single cards only AMD's.
return meson {
	DESCRIPTION = "User space interface to the kernel's direct rendering manager",
	HOMEPAGE = "https://dri.freedesktop.org/",
	LICENSE = "MIT",
	KEYWORDS = "amd64 ~arm64",
	BDEPEND = { "dev-util/pkgconf" },
	sources = { any {
		"https://dri.freedesktop.org/libdrm/libdrm-$PV.tar.xz",
		"mirror://debian/pool/main/libd/libdrm/libdrm_$PV.orig.tar.xz -> libdrm-$PV.tar.xz",
	} },
	options = {
		amdgpu = "enabled", intel = "disabled", radeon = "disabled", nouveau = "disabled", vmwgfx = "disabled", freedreno = "disabled",
		vc4 = "disabled", etnaviv = "disabled", ["cairo-tests"] = "disabled", ["man-pages"] = "disabled", valgrind = "disabled", tests = "false",
	},

	prepare = function(b, super)
		super(b)
		-- Meson 1.0 asks Python for distutils, which Python 3.12 dropped.
		b:edit("meson.build", { from = "import('python').find_installation()", to = "find_program('python3')" })
	end,
}
