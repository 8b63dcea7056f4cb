-- The road through the tiny catalogue: three stages by the host's tools, a second or two each.
local fails = "" -- `make DIR FLAGS` puts the flags of app-misc/fails here

local function tools(host, path)
	return {
		path = path, CHOST = host.chost, CC = host.cc, CXX = host.cxx, BUILD_CC = host.cc,
		CFLAGS = "-O0", CXXFLAGS = "-O0", shebangs = false,
	}
end

return function(host)
	local tmp, prefix = "$EPREFIX/tmp", "$EPREFIX"
	local path = { tmp .. "/usr/bin" }
	table.move(host.path, 1, #host.path, 2, path)
	local own = tools(host, path)
	own.shebangs = true
	return {
		{ name = "stage1", title = "helpers", root = tmp, broots = { tmp }, host_tools = true, tools = tools(host, path),
			packages = { "app-misc/hello" }, use = { "dev-libs/tiny -polite" } },
		{ name = "stage2", title = "libraries", root = prefix, broots = { tmp }, host_tools = true, tools = own,
			packages = { "dev-libs/tiny", "app-misc/links" }, needs = { "stage1:*" } },
		{ name = "stage3", title = "programs", root = prefix, broots = { prefix, tmp }, host_tools = true, tools = own,
			packages = { "app-misc/scripts", "app-misc/fails" },
			use = { "app-misc/fails " .. fails }, needs = { "stage2:dev-libs/tiny" } },
	}
end
