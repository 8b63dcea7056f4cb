#include "atom.h"
#include "eapi.h"
#include "merge.h"
#include "pkg.h"
#include "version.h"

#include <string.h>

/* What atom matching looks at, of an installed package. */
static struct pkg view(const struct vdb_pkg *p)
{
	const char *full = vdb_get(p, "SLOT"), *slot = vdb_slot(p), *slash = strchr(full, '/');
	return (struct pkg){
		.cat = str_of(p->category),
		.pn = str_of(p->pn),
		.version = str_of(p->pvr),
		.pf = str_of(p->pf),
		.kind = PKG_INSTALLED,
		.repo_name = str_of(vdb_repo(p)),
		.slot = str_of(slot),
		.subslot = str_of(slash != NULL ? slash + 1 : slot),
		.loaded = true,
	};
}

/* The best installed package that the atom matches, but for USE. */
static bool best_match(
	const struct vdb *v, const struct atom *a, struct arena *arena, struct pkg *best)
{
	const char *cat = arena_strndup(arena, a->cat.p, a->cat.n);
	const char *pn = arena_strndup(arena, a->pn.p, a->pn.n);
	size_t n;
	const struct vdb_pkg *p = vdb_of_name(v, cat, pn, &n);
	bool found = false;
	for (size_t i = 0; p != NULL && i < n; i++) {
		struct pkg candidate = view(&p[i]);
		candidate.cp = a->cp;
		if (!atom_match_but_use(a, &candidate))
			continue;
		if (!found || version_cmp(candidate.version, best->version) > 0)
			*best = candidate;
		found = true;
	}
	return found;
}

static void bind_word(const struct vdb *v, struct str word, struct buf *out)
{
	struct arena arena = ARENA_INIT;
	struct err ignored = ERR_INIT;
	struct pkg best;
	const struct atom *a = atom_parse(&arena, word, STR("8"), 0, &ignored);
	if (a == NULL || a->slot_op != '=' || a->block != ATOM_NO_BLOCK ||
		!best_match(v, a, &arena, &best)) {
		buf_add_str(out, word);
	} else {
		struct atom bound = *a;
		bound.slot = best.slot;
		bound.subslot = best.subslot;
		atom_print(&bound, out);
	}
	arena_fini(&arena);
}

void merge_bind_slots(const struct vdb *v, const char *deps, struct buf *out)
{
	struct str rest = str_of(deps), word;
	for (bool first = true; str_word(&rest, &word); first = false) {
		if (!first)
			buf_addc(out, ' ');
		bind_word(v, word, out);
	}
}
