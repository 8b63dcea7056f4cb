# shellcheck shell=sh
# The libraries eprefix stands on: compiled straight from their .c files against hand-written configuration
# headers (bootstrap/config/), which takes a tenth of the time of their configure scripts and needs no make.

LIB_NAMES='zlib bzip2 xz zstd libarchive mbedtls curl lua picosat cjson libb2'
LIB_FLAGS='-O2 -fPIC -DNDEBUG -D_GNU_SOURCE -w'
# Order for the linker: a library stands before those it uses.
LINK_ORDER='curl archive mbedtls lzma zstd bz2 z lua picosat cjson b2'

# Sources, relative to the unpacked archive (patterns, expanded there).
lib_sources() {
	case $1 in
	zlib) echo 'adler32.c compress.c crc32.c deflate.c gz*.c inf*.c trees.c uncompr.c zutil.c' ;;
	bzip2) echo 'blocksort.c bzlib.c compress.c crctable.c decompress.c huffman.c randtable.c' ;;
	xz)
		echo 'src/common/tuklib_cpucores.c src/common/tuklib_physmem.c src/liblzma/common/*.c
		src/liblzma/check/check.c src/liblzma/check/crc32_fast.c src/liblzma/check/crc64_fast.c
		src/liblzma/check/sha256.c src/liblzma/delta/*.c src/liblzma/lz/*.c src/liblzma/lzma/lzma_decoder.c
		src/liblzma/lzma/lzma_enc*.c src/liblzma/lzma/lzma2_*.c src/liblzma/lzma/fastpos_table.c
		src/liblzma/rangecoder/price_table.c src/liblzma/simple/*.c'
		;;
	zstd) echo 'lib/common/*.c lib/compress/*.c lib/decompress/*.c' ;;
	libarchive) echo 'libarchive/*.c' ;;
	mbedtls) echo 'library/*.c' ;;
	curl) echo 'lib/*.c lib/curlx/*.c lib/vauth/*.c lib/vquic/*.c lib/vtls/*.c' ;;
	lua) echo 'src/l*.c' ;;
	picosat) echo 'picosat.c version.c' ;;
	cjson) echo 'cJSON.c' ;;
	libb2) echo 'src/blake2b-ref.c' ;;
	esac
}

# Sources that the patterns take in and the library does not want.
lib_unwanted() {
	case $1 in
	xz) echo 'src/liblzma/lzma/lzma_encoder_optimum_*_none.c' ;;
	lua) echo 'src/lua.c src/luac.c' ;;
	esac
}

# Compiler options; they hold for the work directory, with src/NAME and config/ in it.
lib_cflags() {
	case $1 in
	zlib) echo '-DHAVE_UNISTD_H -DHAVE_STDARG_H' ;;
	bzip2) echo '-D_FILE_OFFSET_BITS=64' ;;
	xz)
		echo '-DHAVE_CONFIG_H -Iconfig/lzma -Isrc/xz/src/common'
		for lib_dir in api common check lz rangecoder lzma delta simple; do
			echo "-Isrc/xz/src/liblzma/$lib_dir"
		done
		;;
	zstd) echo '-DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0 -DXXH_NAMESPACE=ZSTD_ -DZSTD_MULTITHREAD' ;;
	libarchive)
		echo '-DHAVE_CONFIG_H -D_FILE_OFFSET_BITS=64 -Iconfig/archive -Isrc/zlib -Isrc/bzip2'
		echo '-Isrc/xz/src/liblzma/api -Isrc/zstd/lib'
		;;
	mbedtls) echo '-D_FILE_OFFSET_BITS=64 -Isrc/mbedtls/include' ;;
	curl)
		echo '-DHAVE_CONFIG_H -DBUILDING_LIBCURL -DCURL_STATICLIB -D_FILE_OFFSET_BITS=64 -Iconfig/curl'
		echo '-Isrc/curl/include -Isrc/curl/lib -Isrc/mbedtls/include'
		;;
	lua) echo '-DLUA_USE_POSIX' ;;
	picosat) echo '-Iconfig/picosat' ;;
	libb2) echo '-DSUFFIX= -Iconfig/b2' ;;
	esac
}

# The archive's base name: lib<this>.a.
lib_archive() {
	case $1 in
	zlib) echo z ;;
	bzip2) echo bz2 ;;
	xz) echo lzma ;;
	libarchive) echo archive ;;
	libb2) echo b2 ;;
	*) echo "$1" ;;
	esac
}

# Public headers and directories of such, relative to the source; they go to include/.
lib_headers() {
	case $1 in
	zlib) echo 'zlib.h zconf.h' ;;
	bzip2) echo 'bzlib.h' ;;
	xz) echo 'src/liblzma/api/lzma.h src/liblzma/api/lzma' ;;
	zstd) echo 'lib/zstd.h lib/zstd_errors.h' ;;
	libarchive) echo 'libarchive/archive.h libarchive/archive_entry.h' ;;
	mbedtls) echo 'include/mbedtls include/psa' ;;
	curl) echo 'include/curl' ;;
	lua) echo 'src/lua.h src/luaconf.h src/lualib.h src/lauxlib.h' ;;
	picosat) echo 'picosat.h' ;;
	cjson) echo 'cJSON.h' ;;
	libb2) echo 'src/blake2.h' ;;
	esac
}

# Libraries whose sources another one is compiled against.
lib_needs() {
	case $1 in
	libarchive) echo zlib bzip2 xz zstd ;;
	curl) echo mbedtls ;;
	esac
}
