/* What picosat's mkconfig.sh would write. */
#define PICOSAT_CC "cc"
#define PICOSAT_CFLAGS "-O2 -DNDEBUG"
#define PICOSAT_VERSION "965"
