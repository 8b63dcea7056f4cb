-- gpu_ids: which instruction set an AMD device has, by its PCI id; asked when the kernel's own list is not there.
-- Source: the id tables of the kernel's amdgpu driver and of libdrm's amdgpu.ids, with the targets that LLVM's AMDGPU
-- documentation gives for those chips.
local chips = {
	gfx700 = "1304 1305 1306 1307 1309 130a 130b 130c 130d 130e 130f 1310 1311 1312 1313 1315 1316 1317 1318 131b 131c 131d",
	gfx701 = "67a0 67a1 67a2 67a8 67a9 67aa 67b0 67b1 67b8 67b9 67ba 67be",
	gfx801 = "9870 9874 9875 9876 9877",
	gfx802 = "6920 6921 6928 6929 692b 692f 6930 6938 6939",
	gfx803 = "7300 730f 67c0 67c1 67c2 67c4 67c7 67c8 67c9 67ca 67cc 67cf 67d0 67df 67e0 67e1 67e3 67e7 67e8 67e9 67eb 67ef 67ff"
		.. " 6980 6981 6985 6986 6987 6995 6997 699f 6fdf",
	gfx900 = "6860 6861 6862 6863 6864 6867 6868 6869 686a 686b 686c 686d 686e 686f 687f",
	gfx902 = "15dd 15d8",
	gfx904 = "69a0 69a1 69a2 69a3 69af",
	gfx906 = "66a0 66a1 66a2 66a3 66a4 66a7 66af",
	gfx908 = "7388 738c 738e 7390",
	gfx90a = "7408 740c 740f 7410",
	gfx90c = "15e7 1636 1638 164c",
	gfx942 = "74a0 74a1 74a2 74a5 74a8 74a9 74b5 74b6 74b9 74bd",
	gfx950 = "75a0 75a3 75b0 75b3",
	gfx1010 = "7310 7312 7318 7319 731a 731b 731e 731f",
	gfx1011 = "7360 7362",
	gfx1012 = "7340 7341 7347 734f",
	gfx1030 = "73a1 73a2 73a3 73a5 73a8 73a9 73ab 73ac 73ad 73ae 73af 73bf",
	gfx1031 = "73c0 73c1 73c3 73da 73db 73dc 73dd 73de 73df",
	gfx1032 = "73e0 73e1 73e2 73e3 73e8 73e9 73ea 73eb 73ec 73ed 73ef 73ff",
	gfx1033 = "163f 1435",
	gfx1034 = "7420 7421 7422 7423 7424 743f",
	gfx1035 = "164d 1681",
	gfx1036 = "164e",
	gfx1100 = "7448 7449 744a 744b 744c 745e",
	gfx1101 = "7460 7461 7470 747e",
	gfx1102 = "7480 7481 7483 7487 7489 748b 7499 749f",
	gfx1103 = "15bf 15c8 1900 1901",
	gfx1150 = "150e",
	gfx1151 = "1586",
	gfx1152 = "1114",
	gfx1200 = "7590",
	gfx1201 = "7550 7551",
}

local ids = {}
for target, list in pairs(chips) do
	for id in list:gmatch("%x+") do
		ids[tonumber(id, 16)] = target
	end
end
return ids
