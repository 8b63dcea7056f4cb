-- eprefix itself, built inside the prefix from the source that started it: the bootstrap packs that source into DISTDIR.
-- Its libraries are the pinned ones of bootstrap/libs.tsv, static, so that no upgrade of the prefix can break the tool.
local function pinned(upstream, mirror)
	local name = upstream:match "%-> (%S+)$" or upstream:match "[^/]+$"
	return any {
		{ upstream, unpack = false },
		{ "mirror://debian/pool/main/" .. mirror .. (mirror:find(" -> ", 1, true) and "" or " -> " .. name), unpack = false },
	}
end

return plain {
	DESCRIPTION = "Brings up a source-built toolchain in a directory its user owns, and keeps it",
	HOMEPAGE = "https://wiki.gentoo.org/wiki/Project:Prefix",
	LICENSE = "GPL-2+ MIT BSD BSD-2 Apache-2.0 CC0-1.0 ZLIB",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	RDEPEND = { "app-misc/ca-certificates" },
	sources = {
		"mirror://eprefix/eprefix-$PV.tar.gz",
		{ "mirror://debian/pool/main/z/zlib/zlib_1.3.dfsg+really1.3.1.orig.tar.gz", unpack = false },
		pinned("https://sourceware.org/pub/bzip2/bzip2-1.0.8.tar.gz", "b/bzip2/bzip2_1.0.8.orig.tar.gz"),
		pinned("https://github.com/tukaani-project/xz/releases/download/v5.8.1/xz-5.8.1.tar.gz", "x/xz-utils/xz-utils_5.8.1.orig.tar.xz -> xz-5.8.1.tar.xz"),
		pinned("https://github.com/facebook/zstd/releases/download/v1.5.7/zstd-1.5.7.tar.gz", "libz/libzstd/libzstd_1.5.7+dfsg.orig.tar.xz -> libzstd_1.5.7+dfsg.orig.tar.xz"),
		pinned("https://www.libarchive.de/downloads/libarchive-3.7.4.tar.xz", "liba/libarchive/libarchive_3.7.4.orig.tar.xz"),
		pinned("https://github.com/Mbed-TLS/mbedtls/releases/download/mbedtls-3.6.6/mbedtls-3.6.6.tar.bz2", "m/mbedtls/mbedtls_3.6.6.orig.tar.bz2"),
		pinned("https://curl.se/download/curl-8.14.1.tar.gz", "c/curl/curl_8.14.1.orig.tar.gz"),
		pinned("https://www.lua.org/ftp/lua-5.4.7.tar.gz", "l/lua5.4/lua5.4_5.4.7.orig.tar.gz"),
		pinned("http://fmv.jku.at/picosat/picosat-965.tar.gz", "p/picosat/picosat_965.orig.tar.gz"),
		pinned("https://github.com/DaveGamble/cJSON/archive/refs/tags/v1.7.18.tar.gz -> cJSON-1.7.18.tar.gz", "c/cjson/cjson_1.7.18.orig.tar.gz"),
		pinned("https://github.com/BLAKE2/libb2/archive/refs/tags/v0.98.1.tar.gz -> libb2-0.98.1.tar.gz", "libb/libb2/libb2_0.98.1.orig.tar.gz"),
	},

	compile = function(b)
		b:run {
			"sh", "$S/bootstrap/run", "--tool-only", "--offline", "--distdir=$DISTDIR",
			env = { EPREFIX_CACHE = "$BUILD", EPREFIX_CC = "$CC", EPREFIX_CXX = "$CXX" },
		}
	end,
	install = function(b) b:dobin("$BUILD/bin/eprefix") end,
}
