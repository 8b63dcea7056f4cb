-- Mozilla's certificate authorities as one PEM bundle.
local certdata = lib "certdata"

return plain {
	DESCRIPTION = "Common CA Certificates PEM files",
	HOMEPAGE = "https://packages.debian.org/sid/ca-certificates",
	LICENSE = "MPL-1.1",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { "mirror://debian/pool/main/c/ca-certificates/ca-certificates_$PV.tar.xz" },

	compile = function(b)
		local bundle, count = certdata.pem(b:read "$S/mozilla/certdata.txt")
		if count < 100 then
			b:die("certdata.txt holds only " .. count .. " trusted authorities: has its format changed?")
		end
		b:write("ca-certificates.crt", bundle)
		b:log(count .. " trusted authorities")
	end,
	install = function(b)
		b:doins("/etc/ssl/certs", "ca-certificates.crt")
		b:dosym("certs/ca-certificates.crt", "/etc/ssl/cert.pem")
	end,
}
