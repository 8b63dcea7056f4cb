-- rocm: what the packages of a ROCm release share. A release is one sub-slot: its packages ask each other for it, so that
-- no set of two releases can be put together.
local rocm = {}

-- The release numbers, in their one place, with the targets each can be compiled for (+: unless the user says otherwise), what
-- its hipcc calls the platform of AMD's cards, what its build files ask of CMake, and the slot of LLVM that it is made for.
rocm.releases = {
	["3.5"] = {
		targets = "+gfx803 gfx900 gfx906 gfx908", platform = "rocclr",
		-- Projects of that time ask for CMake 2.8, which CMake 4 no longer plays.
		cmake = { "-DCMAKE_POLICY_VERSION_MINIMUM=3.5" },
	},
	-- The runtime is 6.4.3; device libraries, comgr and hipcc are 7.0.2, which are the ones made for LLVM 21: so does Debian.
	["6.4"] = {
		targets = "gfx900 gfx906 +gfx908 +gfx90a +gfx942 gfx1010 gfx1011 gfx1012 +gfx1030 gfx1031 +gfx1100 +gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 +gfx1200 +gfx1201",
		platform = "amd", llvm = "21",
	},
}

-- Where the LLVM of a release is: "$EPREFIX/usr/lib/llvm/21"
function rocm.llvm(release)
	return "$EPREFIX/usr/lib/llvm/" .. rocm.releases[release].llvm
end

-- Files in which upstream writes down where things are installed, and what is written there.
local NAMES_PATHS = { "CMakeLists.txt", "*.cmake", "*.cmake.in", "*.in", "*.py", "*.pl", "*.pm", "*.sh", "hipcc*", "hipconfig*" }

-- "dev-libs/rocr-runtime" → "dev-libs/rocr-runtime:0/3.5="; LLVM has slots of its own.
local function of_release(release, names)
	local atoms = {}
	for i, name in ipairs(names or {}) do
		if name == "llvm-core/llvm" then
			atoms[i] = name .. ":" .. rocm.releases[release].llvm .. "="
		else
			atoms[i] = type(name) == "string" and name .. ":0/" .. release .. "=" or name
		end
	end
	return atoms
end

-- The same, compiled for every target that the package itself is compiled for: kernels of one call those of the other.
local function of_targets(release, names, targets)
	local conditions, atoms = {}, of_release(release, names)
	for i, flag in ipairs(targets) do
		conditions[i] = flag .. "(-)?"
	end
	for i, atom in ipairs(atoms) do
		atoms[i] = atom .. "[" .. table.concat(conditions, ",") .. "]"
	end
	return atoms
end

-- A later find_package() of any of them finds the release's.
local function llvm_options(release)
	if not rocm.releases[release].llvm then
		return {}
	end
	local list = {}
	for i, part in ipairs { "LLVM", "Clang", "LLD" } do
		list[i] = ("-D%s_DIR=%s/lib/cmake/%s"):format(part, rocm.llvm(release), part:lower())
	end
	return list
end

local function joined(...)
	local out = {}
	for _, list in ipairs { ... } do
		table.move(list, 1, #list, #out + 1, out)
	end
	return out
end

local function target_flags(targets)
	local flags, names = {}, {}
	for mark, target in targets:gmatch "(%+?)(gfx%w+)" do
		flags[#flags + 1] = mark .. "amdgpu_targets_" .. target
		names[#names + 1] = "amdgpu_targets_" .. target
	end
	return table.concat(flags, " "), names
end

-- The targets this package is compiled for, in the order of its IUSE: { "gfx90a", "gfx1100" }
function rocm.targets(b)
	local list = {}
	for name in (b.spec.IUSE or ""):gmatch "amdgpu_targets_(gfx%w+)" do
		if b.use["amdgpu_targets_" .. name] then
			list[#list + 1] = name
		end
	end
	return list
end

-- Only the edits that find something: b:edit() fails where one does not.
local function fix_file(b, file)
	local text = b:read(file)
	if text:find "/opt/rocm/%w+/bin" then
		b:edit(file, { pattern = "/opt/rocm/%w+/bin", to = "$EPREFIX/usr/bin" })
	end
	if b:read(file):find("/opt/rocm", 1, true) then
		b:edit(file, { from = "/opt/rocm", to = "$EPREFIX/usr", all = true })
	end
end

-- /opt/rocm and the compiler in it are where upstream looks; here both are the prefix.
function rocm.fix_paths(b)
	for _, file in ipairs(b:find("$S", NAMES_PATHS)) do
		if b:read(file):find("/opt/rocm", 1, true) then
			fix_file(b, file)
		end
	end
end

-- The Fortran modules of the hip libraries, which are compiled for tests only, want a compiler that a prefix has not.
local FORTRAN = {
	'set%(%s*fortran_language "Fortran"%s*%)', "add_library%(%s*hip%w+_fortran[^)]*%)", "target_compile_options%(%s*hip%w+_fortran[^)]*%)",
}

function rocm.without_fortran(b)
	for _, file in ipairs(b:find("$S", { "CMakeLists.txt" })) do
		for _, pattern in ipairs(FORTRAN) do
			if b:read(file):find(pattern) then
				b:edit(file, { pattern = pattern, to = "" })
			end
		end
	end
end

-- Every name under which a package of one release or another asks for the targets, so that none ever probes.
local function target_options(b)
	local list = table.concat(rocm.targets(b), ";")
	if list == "" then
		return {}
	end
	b:log("compiling for " .. list)
	return { "-DAMDGPU_TARGETS=" .. list, "-DGPU_TARGETS=" .. list, "-DCMAKE_HIP_ARCHITECTURES=" .. list }
end

-- What upstream has, then its mirror: an archive of other bytes has another name there ("mirror://… -> NAME-debian.tar.xz").
local function sources(spec)
	local list = {}
	for i, source in ipairs(spec.archives) do
		local notes = { into = source.into, only = source.only, strip = source.strip }
		local first = { "https://github.com/" .. source[1] .. ".tar.gz -> " .. source[2] }
		local second = source.mirror and { source.mirror:find(" -> ", 1, true) and source.mirror or source.mirror .. " -> " .. source[2] }
		for name, value in pairs(notes) do
			first[name] = value
			if second then
				second[name] = value
			end
		end
		list[i] = second and any { first, second } or first
	end
	return table.move(spec.more_sources or {}, 1, #(spec.more_sources or {}), #list + 1, list)
end

-- A package built by CMake. Beside a recipe's own fields: archives = { { "OWNER/REPO/archive/TAG", "FILE", mirror =, into = } },
-- more_sources = what is not of GitHub, needs = packages of the same release it is built with and runs with, build_needs = those it is only built with,
-- gpu = true: compiled for targets, by hipcc; gpu_needs = those of needs that are compiled for the same targets. release: which one of the table.
function rocm.package(spec)
	local release = spec.release
	local more_iuse, names = target_flags(spec.gpu and rocm.releases[release].targets or "")
	local needs = joined(of_release(release, spec.needs), of_targets(release, spec.gpu_needs, names))
	local build_needs = of_release(release, spec.build_needs)
	local own_configure, own_prepare = spec.configure, spec.prepare
	local result = {
		LICENSE = "MIT", SLOT = "0/" .. release, KEYWORDS = "~amd64", sources = sources(spec),
		prepare = function(b, super)
			super(b)
			rocm.fix_paths(b)
			if own_prepare then
				own_prepare(b)
			end
		end,
		configure = function(b, super)
			for _, list in ipairs { rocm.releases[release].cmake or {}, llvm_options(release), target_options(b) } do
				table.move(list, 1, #list, #b.options_extra + 1, b.options_extra)
			end
			if own_configure then
				own_configure(b)
			end
			super(b)
		end,
	}
	for name, value in pairs(spec) do
		result[name] = result[name] or value
	end
	result.SLOT, result.KEYWORDS, result.LICENSE = result.SLOT, spec.KEYWORDS or result.KEYWORDS, spec.LICENSE or result.LICENSE
	result.IUSE = ((spec.IUSE or "") .. " " .. more_iuse):match "^%s*(.-)%s*$"
	result.DEPEND = joined(needs, build_needs, spec.DEPEND or {})
	result.RDEPEND = joined(needs, spec.RDEPEND or {})
	result.BDEPEND = spec.BDEPEND
	if #names > 0 then
		local choice = {}
		for i, name in ipairs(names) do
			choice[i] = name
		end
		result.REQUIRED_USE = { any(choice), spec.REQUIRED_USE }
		-- Kernels of a library take a compiler far more memory than C++ does.
		result.mem = spec.mem or 2500
		result.env = { CXX = "$EPREFIX/usr/bin/hipcc", HIP_PLATFORM = rocm.releases[release].platform, ROCM_PATH = "$EPREFIX/usr", HIP_PATH = "$EPREFIX/usr" }
	end
	for _, ours in ipairs { "release", "archives", "more_sources", "needs", "gpu_needs", "build_needs", "gpu" } do
		result[ours] = nil
	end
	return cmake(result)
end

-- What asks the kernel's driver says in one line what is missing where there is none: NAME of usr/bin moves behind a check.
function rocm.explain_missing_driver(b, name)
	b:dodir "/usr/libexec/rocm"
	b:move("$ED/usr/bin/" .. name, "$ED/usr/libexec/rocm/" .. name)
	b:write("$ED/usr/bin/" .. name, "#!$EPREFIX/bin/sh\n"
		.. "missing() {\n\techo \"" .. name .. ": $1\" >&2\n\texit 1\n}\n"
		.. "[ -e /sys/module/amdgpu ] || missing 'the kernel module amdgpu is not loaded: there is no AMD GPU, or modprobe amdgpu is wanted'\n"
		.. "[ -e /dev/kfd ] || missing '/dev/kfd is not there: the kernel lacks HSA_AMD, or this container was not given the device'\n"
		.. "[ -r /dev/kfd ] && [ -w /dev/kfd ] || missing \"no permission for /dev/kfd: join the group $(ls -l /dev/kfd | cut -d ' ' -f 4) and log in again\"\n"
		.. "exec $EPREFIX/usr/libexec/rocm/" .. name .. " \"$@\"\n", 493)
end

return rocm
