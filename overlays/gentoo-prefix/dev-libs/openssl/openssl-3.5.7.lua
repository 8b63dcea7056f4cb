-- TLS and cryptography; configured by perl, installed without its manuals.
return plain {
	DESCRIPTION = "Full-strength general purpose cryptography library (including SSL and TLS)",
	HOMEPAGE = "https://openssl-library.org/",
	LICENSE = "Apache-2.0",
	SLOT = "0/3",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	RDEPEND = { "app-misc/ca-certificates" },
	BDEPEND = { "dev-lang/perl" },
	sources = { any {
		"https://github.com/openssl/openssl/releases/download/openssl-$PV/openssl-$PV.tar.gz",
		"mirror://debian/pool/main/o/openssl/openssl_$PV.orig.tar.gz -> openssl-$PV.tar.gz",
	} },

	configure = function(b)
		local targets = { ["amd64-linux"] = "linux-x86_64", ["arm64-linux"] = "linux-aarch64",
			["amd64-darwin"] = "darwin64-x86_64-cc", ["arm64-darwin"] = "darwin64-arm64-cc" }
		local target = targets[b.host.arch .. "-" .. b.host.os] or b:die("no OpenSSL target for this host")
		b:run {
			"perl", "$S/Configure", target, "--prefix=$EPREFIX/usr", "--openssldir=$EPREFIX/etc/ssl", "--libdir=lib",
			"shared", "no-tests", "no-docs", "no-zlib", "no-afalgeng", "enable-ktls",
			env = { HASHBANGPERL = "$EPREFIX/usr/bin/perl" },
		}
	end,
	compile = function(b) b:make {} end,
	install = function(b)
		b:make { "DESTDIR=$D", "install_sw", "install_ssldirs" }
		b:remove("$ED/usr/lib/*.a", "$ED/etc/ssl/*.dist")
	end,
}
