#include "tiny.h"

const char *tiny_greeting(void)
{
#ifdef POLITE
	return "Good day";
#else
	return "Hi";
#endif
}
