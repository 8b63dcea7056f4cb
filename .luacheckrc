std = "lua54"
max_line_length = 150
codes = true
-- What a recipe may use: systems, conditions, overlay libraries (docs/internals.md).
local recipe = { "autotools", "cmake", "meson", "make", "python", "plain", "lib", "any", "one", "use", "unless", "enable",
	"with", "csv", "at_most", "feature", "defaults" }
files["overlays"] = { read_globals = recipe, max_line_length = 240 } -- addresses
files["tests/catalogue/overlay"] = { read_globals = recipe }
