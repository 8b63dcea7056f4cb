-- The transfer tool and library, over the prefix's OpenSSL and certificates.
return autotools {
	DESCRIPTION = "A Client that groks URLs",
	HOMEPAGE = "https://curl.se/",
	LICENSE = "BSD curl ISC",
	SLOT = "0/4",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	DEPEND = { "dev-libs/openssl:=", "sys-libs/zlib:=", "app-arch/zstd:=" },
	RDEPEND = { "dev-libs/openssl:=", "sys-libs/zlib:=", "app-arch/zstd:=", "app-misc/ca-certificates" },
	BDEPEND = { "dev-util/pkgconf", "dev-lang/perl" },
	sources = { any {
		"https://curl.se/download/curl-$PV.tar.gz",
		"mirror://debian/pool/main/c/curl/curl_$PV.orig.tar.gz -> curl-$PV.tar.gz",
	} },
	options = {
		"--with-openssl", "--with-zlib", "--with-zstd", "--with-ca-bundle=$EPREFIX/etc/ssl/certs/ca-certificates.crt", "--without-ca-path",
		"--without-libpsl", "--without-brotli", "--without-nghttp2", "--without-libidn2", "--without-libssh2", "--without-librtmp",
		"--without-libgsasl", "--without-gssapi", "--disable-ldap", "--disable-manual", "--disable-docs", "--disable-static",
	},
}
