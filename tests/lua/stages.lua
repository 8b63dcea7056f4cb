-- The built-in roads, for simulated hosts.
local equal = ...
local stage = require("stage")

local function host(changes)
	local facts = {
		os = "linux", arch = "amd64", chost = "x86_64-pc-linux-gnu", loader = "ld-linux-x86-64.so.2", path = { "/usr/bin", "/bin" },
		cc = "/usr/bin/gcc", cxx = "/usr/bin/g++", cc_kind = "gcc", cc_version = "12.2.0", make = true, python3 = true,
		retarget = true,
	}
	for name, value in pairs(changes or {}) do
		facts[name] = value
	end
	return facts
end

local function stages(which, facts, options)
	local by_name = {}
	for _, s in ipairs(stage.list(which, facts, options, "/p")) do
		by_name[s.name] = s
	end
	return by_name
end

local function has(list, item)
	for _, candidate in ipairs(list) do
		if candidate == item then
			return true
		end
	end
	return false
end

-- Every `needs` names a stage that is there, and every list holds strings.
local function check_sound(which, facts, options)
	local all = stages(which, facts, options)
	for name, s in pairs(all) do
		for _, need in ipairs(s.needs) do
			local of = need:match("^([^:]+):")
			equal(name .. " " .. need .. " " .. tostring(all[of] ~= nil), name .. " " .. need .. " true")
		end
		equal(type(s.tools.path), "table")
		equal(s.root:sub(1, 2), "/p")
	end
end

return {
	all_roads_are_sound = function()
		for _, toolchain in ipairs({ "auto", "cross", "retarget" }) do
			check_sound("linux", host(), { toolchain = toolchain })
		end
		check_sound("linux", host({ retarget = false, python3 = false, make = false }), {})
		check_sound("guest", host(), {})
		check_sound("guest", host({ os = "darwin", chost = "aarch64-apple-darwin23", sdk = "/sdk" }), {})
	end,
	a_recent_gcc_is_retargeted_and_an_old_one_is_not = function()
		equal(has(stages("linux", host(), {})["stage2-cc"].packages, "sys-devel/retarget"), true)
		equal(has(stages("linux", host({ retarget = false }), {})["stage2-cc"].packages, "sys-devel/retarget"), false)
		equal(has(stages("linux", host(), { toolchain = "cross" })["stage2-cc"].packages, "sys-devel/cross-gcc"), true)
	end,
	where_the_host_lacks_make_all_waits_for_it = function()
		for _, road in ipairs({ "linux", "guest" }) do
			local all = stages(road, host({ make = false }), {})
			equal(has(all["stage1-make"].packages, "dev-build/make"), true)
			equal(has(all.stage1.packages, "dev-build/make"), false)
			equal(all.stage1.needs[1], "stage1-make:*")
			equal(stages(road, host(), {})["stage1-make"], nil)
		end
	end,
	a_host_without_python_gets_one = function()
		equal(has(stages("linux", host(), {}).stage1.packages, "dev-lang/python"), false)
		equal(has(stages("linux", host({ python3 = false }), {}).stage1.packages, "dev-lang/python"), true)
	end,
	the_last_stages_use_nothing_of_the_host = function()
		for name, path in pairs({
			["system"] = "/p/tmp/usr/lib/hostcc/path:/p/usr/bin", ["system-cxx"] = "/p/usr/bin",
			["devel"] = "/p/tmp/usr/lib/hostcc/path:/p/usr/bin", ["devel-cxx"] = "/p/usr/bin",
		}) do
			local tools = stages("linux", host(), {})[name].tools
			equal(table.concat(tools.path, ":"), path)
			equal(tostring(tools.leaks) .. tostring(tools.shebangs), "truetrue")
		end
	end,
	without_a_retargeted_compiler_the_base_system_waits_for_the_final_one = function()
		local system = stages("linux", host(), { toolchain = "cross" }).system
		equal(has(system.needs, "stage3-cc:sys-devel/gcc"), true)
		equal(table.concat(system.tools.path, ":"), "/p/usr/bin")
		equal(has(stages("linux", host(), {}).system.needs, "stage3-cc:sys-devel/gcc"), false)
	end,
	the_tools_for_later_packages_can_be_left_out = function()
		equal(stages("linux", host(), { devel = false }).devel, nil)
	end,
	emerge_builds_with_the_tools_of_the_last_stage = function()
		equal(table.concat(stage.tools("linux", host(), {}, "/p", "emerge").path, ":"), "/p/usr/bin")
		equal(stage.tools("linux", host(), {}, "/p", "stage1").CC, "/usr/bin/gcc")
	end,
	the_same_input_gives_the_same_tools_text = function()
		local a, b = stages("linux", host(), {}), stages("linux", host(), {})
		for name, s in pairs(a) do
			equal(s.tools_text, b[name].tools_text)
		end
		local clang = stages("linux", host({ cc = "/usr/bin/clang" }), {})
		equal(clang.stage1.tools_text == a.stage1.tools_text, false)
	end,
}
