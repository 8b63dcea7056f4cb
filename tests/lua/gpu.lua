-- What is found out about AMD cards, from directories laid out as the kernel lays out /sys and /dev.
local equal = ...
local px = require("px")
local gpu, host, targets = require("gpu"), require("host"), require("gpu_targets")

local TMP = "/tmp/eprefix-gpu-test-" .. tostring({}):match("%x+$")

local function write(root, path, text, mode)
	px.fs.mkdirs((root .. path):match("^(.*)/[^/]+$"))
	px.fs.write(root .. path, text, mode or 420)
end

-- A processor, as the topology lists it beside the cards.
local CPU = "cpu_cores_count 16\nsimd_count 0\ngfx_target_version 0\nvendor_id 0\ndevice_id 0\nlocation_id 0\ndomain 0\n"

local function node(version, device, location)
	return ("cpu_cores_count 0\nsimd_count 416\ngfx_target_version %d\nvendor_id 4098\ndevice_id %d\nlocation_id %d\ndomain 0\n"):format(
		version, device, location)
end

-- m.nodes: properties of each node; m.pci: address → { vendor, device, class }; m.module, m.kfd (mode), m.render
local function machine(m)
	px.fs.remove(TMP)
	px.fs.mkdirs(TMP)
	for i, text in ipairs(m.nodes or {}) do
		write(TMP, ("/sys/class/kfd/kfd/topology/nodes/%d/properties"):format(i - 1), text)
	end
	for address, device in pairs(m.pci or {}) do
		for i, name in ipairs({ "vendor", "device", "class" }) do
			write(TMP, ("/sys/bus/pci/devices/%s/%s"):format(address, name), ("0x%04x\n"):format(device[i]))
		end
	end
	if m.module then
		write(TMP, "/sys/module/amdgpu/refcnt", "1\n")
	end
	if m.kfd then
		write(TMP, "/dev/kfd", "", m.kfd)
	end
	if m.render then
		write(TMP, "/dev/dri/renderD128", "", m.render)
	end
	local facts = gpu.detect(host.probe(TMP, { "/usr/bin", "/bin" }, TMP))
	px.fs.remove(TMP)
	return facts
end

local function said(facts)
	local lines = {}
	for i, f in ipairs(facts.findings) do
		lines[i] = f.severity .. " " .. f.id .. ": " .. f.text .. (f.remedy and " -> " .. f.remedy or "")
	end
	return table.concat(lines, "\n")
end

local function says(facts, text)
	equal(said(facts):find(text, 1, true) and text or said(facts), text)
end

local DISPLAY, ACCELERATOR = 0x030000, 0x120000

local function by_topology(version, device, target)
	local facts = machine({ nodes = { CPU, node(version, device, 0x300) }, module = true, kfd = 438, render = 438 })
	equal(table.concat(facts.targets, " "), target)
	equal(facts.cards[1].pci .. " " .. facts.cards[1].source, "0000:03:00.0 kfd")
	return facts
end

local function by_pci(device, target, class)
	local facts = machine({ pci = { ["0000:03:00.0"] = { 0x1002, device, class or DISPLAY }, ["0000:00:02.0"] = { 0x8086, 0x1234, DISPLAY } } })
	equal(table.concat(facts.targets, " "), target)
	equal(#facts.cards, 1)
	return facts
end

return {
	old_cards = function()
		says(by_topology(80003, 0x67df, "gfx803"), "gfx803, dropped after ROCm 3.5")
		says(by_topology(80003, 0x67df, "gfx803"), "eprefix emerge '<dev-util/amd-rocm-meta-4'")
		by_topology(90000, 0x687f, "gfx900")
		by_pci(0x67df, "gfx803")
		by_pci(0x687f, "gfx900")
	end,
	data_centre_cards = function()
		by_topology(90006, 0x66a1, "gfx906")
		says(by_topology(90010, 0x740c, "gfx90a"), "is gfx90a, supported by ROCm")
		by_topology(90402, 0x74a1, "gfx942")
		by_pci(0x66a1, "gfx906")
		by_pci(0x740c, "gfx90a", ACCELERATOR)
		by_pci(0x74a1, "gfx942", ACCELERATOR)
	end,
	consumer_cards = function()
		by_topology(100300, 0x73bf, "gfx1030")
		by_topology(110000, 0x744c, "gfx1100")
		by_topology(120001, 0x7550, "gfx1201")
		by_pci(0x73bf, "gfx1030")
		by_pci(0x744c, "gfx1100")
		by_pci(0x7550, "gfx1201")
	end,
	a_sibling_of_a_supported_card_is_told_its_nearest_target = function()
		says(by_topology(100301, 0x73df, "gfx1031"), "build for gfx1030 and run with HSA_OVERRIDE_GFX_VERSION=10.3.0")
	end,
	an_apu = function()
		says(by_topology(110003, 0x15bf, "gfx1103"), "build for gfx1100 and run with HSA_OVERRIDE_GFX_VERSION=11.0.0")
		by_pci(0x1638, "gfx90c")
	end,
	two_cards_at_once = function()
		local facts = machine({
			nodes = { CPU, node(110000, 0x744c, 0x300), node(90010, 0x740c, 0x8300) },
			pci = { ["0000:03:00.0"] = { 0x1002, 0x744c, DISPLAY }, ["0000:83:00.0"] = { 0x1002, 0x740c, ACCELERATOR } },
			module = true, kfd = 438, render = 438,
		})
		equal(table.concat(facts.targets, " "), "gfx1100 gfx90a")
		equal(#facts.cards, 2)
	end,
	two_cards_of_a_kind_are_one_target = function()
		local facts = machine({ nodes = { node(90402, 0x74a1, 0x300), node(90402, 0x74a1, 0x400) }, module = true, kfd = 438 })
		equal(#facts.cards .. table.concat(facts.targets, " "), "2gfx942")
	end,
	no_card = function()
		local facts = machine({ nodes = { CPU }, pci = { ["0000:00:02.0"] = { 0x10de, 0x2684, DISPLAY } } })
		equal(#facts.cards + #facts.targets, 0)
		says(facts, "info gpu.none: no AMD GPU was found")
		equal(#facts.findings, 1)
	end,
	amd_devices_that_are_no_gpus_do_not_count = function()
		equal(#machine({ pci = { ["0000:00:00.0"] = { 0x1002, 0x5a14, 0x060000 } } }).cards, 0)
	end,
	an_unknown_id_is_said = function()
		says(machine({ pci = { ["0000:03:00.0"] = { 0x1002, 0xfffe, DISPLAY } } }), "AMD GPU 0000:03:00.0 (1002:fffe): its target is not known")
	end,
	what_the_kernel_lacks_is_said = function()
		local pci = { ["0000:03:00.0"] = { 0x1002, 0x744c, DISPLAY } }
		says(machine({ pci = pci }), "the kernel module amdgpu is not loaded")
		says(machine({ pci = pci, module = true }), "/dev/kfd is not there")
	end,
	devices_that_may_not_be_opened_are_said_with_the_way_out = function()
		local facts = machine({ nodes = { node(110000, 0x744c, 0x300) }, module = true, kfd = 0, render = 0 })
		-- Who may everything needs no permission.
		local root = px.fs.exists("/proc/1/environ") and pcall(px.fs.read, "/proc/1/environ")
		if not root then
			says(facts, "this user may not read and write /dev/kfd")
			says(facts, "this user may not read and write /dev/dri/renderD128")
		end
	end,
	every_release_speaks_of_known_targets = function()
		local known = {}
		for _, target in pairs(require("gpu_ids")) do
			known[target] = true
		end
		known.gfx940, known.gfx941 = true, true
		for _, release in ipairs(targets.releases) do
			for target in (release.full .. " " .. release.builds):gmatch("%S+") do
				equal(target .. tostring(known[target]), target .. "true")
			end
		end
		for card, sibling in pairs(targets.siblings) do
			equal(card .. tostring(targets.newest(sibling[1]) ~= nil), card .. "true")
		end
	end,
}
