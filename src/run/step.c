#include "step.h"

const char *phase_name(enum phase p)
{
	static const char *const names[PHASE_COUNT] = {
		[PHASE_FETCH] = "fetch",
		[PHASE_UNPACK] = "unpack",
		[PHASE_PREPARE] = "prepare",
		[PHASE_CONFIGURE] = "configure",
		[PHASE_COMPILE] = "compile",
		[PHASE_TEST] = "test",
		[PHASE_INSTALL] = "install",
		[PHASE_MERGE] = "merge",
	};
	return names[p];
}
