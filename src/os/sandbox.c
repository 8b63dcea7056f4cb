#include "sandbox_int.h"

void sandbox_probe(struct sandbox_support *s)
{
	static struct sandbox_support found; /* a property of the kernel and user we run under */
	static bool tried;
	if (!tried)
		sandbox_os_probe(&found);
	tried = true;
	*s = found;
}

void sandbox_lost(const struct sandbox_support *s, struct buf *out)
{
	if (!s->files)
		buf_printf(out, "builds can write outside their directories: %s", s->files_how);
	if (!s->network)
		buf_printf(out, "%sbuilds can reach the network: %s", out->n > 0 ? "; " : "",
			s->network_how);
	else if (s->net_by == SANDBOX_NET_LANDLOCK)
		buf_printf(out, "%sbuilds can reach the network by UDP: %s", out->n > 0 ? "; " : "",
			s->network_how);
}

bool sandbox_enter(const struct sandbox *s, const struct sandbox_support *support, struct err *e)
{
	return sandbox_os_enter(s, support, e);
}
