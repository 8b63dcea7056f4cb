#include "atom.h"

void use_dep_print(const struct use_dep *u, struct buf *out)
{
	static const struct {
		const char *prefix, *suffix;
	} marks[] = {
		[USE_DEP_ON] = { "", "" },
		[USE_DEP_OFF] = { "-", "" },
		[USE_DEP_EQUAL] = { "", "=" },
		[USE_DEP_NOT_EQUAL] = { "!", "=" },
		[USE_DEP_IF_ON] = { "", "?" },
		[USE_DEP_IF_OFF] = { "!", "?" },
	};
	buf_adds(out, marks[u->kind].prefix);
	buf_add_str(out, u->flag);
	if (u->missing != '\0')
		buf_adds(out, u->missing == '+' ? "(+)" : "(-)");
	buf_adds(out, marks[u->kind].suffix);
}

static const char *op_text(const struct atom *a)
{
	static const char *const ops[] = {
		[ATOM_ANY] = "",
		[ATOM_EQ] = "=",
		[ATOM_GLOB] = "=",
		[ATOM_TILDE] = "~",
		[ATOM_LT] = "<",
		[ATOM_LE] = "<=",
		[ATOM_GE] = ">=",
		[ATOM_GT] = ">",
	};
	return ops[a->op];
}

/* The version with the stars around or behind it. */
static void print_bare_version(const struct atom *a, struct buf *out)
{
	if (a->wildcard)
		buf_addc(out, '*');
	buf_add_str(out, a->version);
	if (a->op == ATOM_GLOB)
		buf_addc(out, '*');
}

void atom_print_version(const struct atom *a, struct buf *out)
{
	if (a->op == ATOM_ANY)
		return;
	buf_adds(out, op_text(a));
	print_bare_version(a, out);
}

static void print_slot(const struct atom *a, struct buf *out)
{
	if (a->slot.n == 0 && a->slot_op == '\0')
		return;
	buf_addc(out, ':');
	buf_add_str(out, a->slot);
	if (a->subslot.n > 0) {
		buf_addc(out, '/');
		buf_add_str(out, a->subslot);
	}
	if (a->slot_op != '\0')
		buf_addc(out, a->slot_op);
}

void atom_print(const struct atom *a, struct buf *out)
{
	for (int i = ATOM_NO_BLOCK; i < (int)a->block; i++)
		buf_addc(out, '!');
	buf_adds(out, op_text(a));
	buf_add_str(out, a->cp);
	if (a->op != ATOM_ANY) {
		buf_addc(out, '-');
		print_bare_version(a, out);
	}
	if (a->build_id.n > 0) {
		buf_addc(out, '-');
		buf_add_str(out, a->build_id);
	}
	print_slot(a, out);
	if (a->repo.n > 0) {
		buf_adds(out, "::");
		buf_add_str(out, a->repo);
	}
	for (size_t i = 0; i < a->n_use; i++) {
		buf_addc(out, i == 0 ? '[' : ',');
		use_dep_print(&a->use[i], out);
	}
	if (a->n_use > 0)
		buf_addc(out, ']');
}

/* One USE dependency under the parent's state of the flag; false: it falls away. */
static bool decide(struct use_dep *u, bool parent)
{
	switch (u->kind) {
	case USE_DEP_EQUAL:
		u->kind = parent ? USE_DEP_ON : USE_DEP_OFF;
		return true;
	case USE_DEP_NOT_EQUAL:
		u->kind = parent ? USE_DEP_OFF : USE_DEP_ON;
		return true;
	case USE_DEP_IF_ON:
		u->kind = USE_DEP_ON;
		return parent;
	case USE_DEP_IF_OFF:
		u->kind = USE_DEP_OFF;
		return !parent;
	default:
		return true;
	}
}

const struct atom *atom_evaluate(
	struct arena *arena, const struct atom *a, flag_on *on, const void *ctx)
{
	if (!a->use_conditional)
		return a;
	struct atom *done = arena_alloc(arena, sizeof *done);
	*done = *a;
	done->use = arena_alloc(arena, a->n_use * sizeof *done->use);
	done->n_use = 0;
	done->use_conditional = false;
	done->unevaluated = a;
	for (size_t i = 0; i < a->n_use; i++) {
		struct use_dep u = a->use[i];
		if (decide(&u, on != NULL && on(ctx, u.flag)))
			done->use[done->n_use++] = u;
	}
	return done;
}
