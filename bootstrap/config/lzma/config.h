/* What liblzma's configure would find out on a 32- or 64-bit POSIX system with gcc or clang. */
#ifndef LZMA_CONFIG_H
#define LZMA_CONFIG_H

#define PACKAGE_NAME "XZ Utils"
#define PACKAGE_URL "https://tukaani.org/xz/"
#define PACKAGE_BUGREPORT "xz@tukaani.org"
#define ASSUME_RAM 128

#define HAVE_INTTYPES_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_STDINT_H 1
#define HAVE_STRING_H 1
#define HAVE__BOOL 1
#define HAVE_VISIBILITY 1
#define HAVE___BUILTIN_ASSUME_ALIGNED 1
#define HAVE___BUILTIN_BSWAPXX 1
#define HAVE_FUNC_ATTRIBUTE_CONSTRUCTOR 1
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORDS_BIGENDIAN 1
#endif
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#define TUKLIB_FAST_UNALIGNED_ACCESS 1
#endif

#define MYTHREAD_POSIX 1
#define HAVE_CLOCK_GETTIME 1
#define TUKLIB_PHYSMEM_SYSCONF 1
#define TUKLIB_CPUCORES_SYSCONF 1
#ifdef __linux__
#define HAVE_CLOCK_MONOTONIC 1
#define HAVE_PTHREAD_CONDATTR_SETCLOCK 1
#endif

#define HAVE_CHECK_CRC32 1
#define HAVE_CHECK_CRC64 1
#define HAVE_CHECK_SHA256 1
#define HAVE_LZIP_DECODER 1

#define HAVE_DECODERS 1
#define HAVE_DECODER_ARM 1
#define HAVE_DECODER_ARM64 1
#define HAVE_DECODER_ARMTHUMB 1
#define HAVE_DECODER_DELTA 1
#define HAVE_DECODER_IA64 1
#define HAVE_DECODER_LZMA1 1
#define HAVE_DECODER_LZMA2 1
#define HAVE_DECODER_POWERPC 1
#define HAVE_DECODER_RISCV 1
#define HAVE_DECODER_SPARC 1
#define HAVE_DECODER_X86 1

#define HAVE_ENCODERS 1
#define HAVE_ENCODER_ARM 1
#define HAVE_ENCODER_ARM64 1
#define HAVE_ENCODER_ARMTHUMB 1
#define HAVE_ENCODER_DELTA 1
#define HAVE_ENCODER_IA64 1
#define HAVE_ENCODER_LZMA1 1
#define HAVE_ENCODER_LZMA2 1
#define HAVE_ENCODER_POWERPC 1
#define HAVE_ENCODER_RISCV 1
#define HAVE_ENCODER_SPARC 1
#define HAVE_ENCODER_X86 1
#define HAVE_MF_BT2 1
#define HAVE_MF_BT3 1
#define HAVE_MF_BT4 1
#define HAVE_MF_HC3 1
#define HAVE_MF_HC4 1

#endif
