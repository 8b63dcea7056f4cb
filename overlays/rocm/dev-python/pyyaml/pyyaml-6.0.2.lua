-- YAML for Python; without the C parser.
return plain {
	DESCRIPTION = "YAML parser and emitter for Python",
	HOMEPAGE = "https://pyyaml.org/",
	LICENSE = "MIT",
	KEYWORDS = "amd64 ~arm64",
	RDEPEND = { "dev-lang/python" },
	sources = { "mirror://debian/pool/main/p/pyyaml/pyyaml_$PV.orig.tar.gz -> pyyaml-$PV-debian.tar.gz" },

	install = function(b) b:doins("/usr/lib/python3.13/site-packages", "$S/lib/yaml") end,
}
