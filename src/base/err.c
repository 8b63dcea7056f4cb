#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(struct err *e, enum err_code code, const char *what)
{
	e->code = code;
	snprintf(e->what, sizeof e->what, "%s", what);
}

bool err_set(struct err *e, enum err_code code, const char *what, const char *fmt, ...)
{
	if (e->code != ERR_NONE)
		return false;
	fill(e, code, what);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->message, sizeof e->message, fmt, ap);
	va_end(ap);
	return false;
}

bool err_sys(struct err *e, const char *what, const char *fmt, ...)
{
	int saved = errno;
	if (e->code != ERR_NONE)
		return false;
	fill(e, ERR_FAILED, what);
	e->sys = saved;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->message, sizeof e->message, fmt, ap);
	va_end(ap);
	size_t n = strlen(e->message);
	snprintf(e->message + n, sizeof e->message - n, ": %s", strerror(saved));
	return false;
}

bool err_in(struct err *e, const char *fmt, ...)
{
	char old[sizeof e->message];
	memcpy(old, e->message, sizeof old);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->message, sizeof e->message, fmt, ap);
	va_end(ap);
	size_t n = strlen(e->message);
	snprintf(e->message + n, sizeof e->message - n, ": %s", old);
	return false;
}
