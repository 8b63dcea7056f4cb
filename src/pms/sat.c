#include "sat.h"

#include "mem.h"

#include <picosat.h>
#include <stdlib.h>

struct sat {
	PicoSAT *solver;
	signed char *model; /* by variable: 1 or -1 */
	size_t n, cap;
	bool fits;
};

static void *get(void *state, size_t n)
{
	(void)state;
	return xmalloc(n);
}

static void *resize(void *state, void *p, size_t old, size_t n)
{
	(void)state;
	(void)old;
	return xrealloc(p, n);
}

static void release(void *state, void *p, size_t n)
{
	(void)state;
	(void)n;
	free(p);
}

struct sat *sat_new(void)
{
	struct sat *s = xcalloc(1, sizeof *s);
	s->solver = picosat_minit(s, get, resize, release);
	picosat_set_global_default_phase(s->solver, 0);
	return s;
}

void sat_free(struct sat *s)
{
	if (s == NULL)
		return;
	picosat_reset(s->solver);
	free(s->model);
	free(s);
}

int sat_var(struct sat *s, bool likely)
{
	int var = picosat_inc_max_var(s->solver);
	if ((size_t)var >= s->cap) {
		s->cap = 2 * (size_t)var + 64;
		s->model = xrealloc(s->model, s->cap);
	}
	s->model[var] = likely ? 1 : -1;
	s->n = (size_t)var + 1;
	if (likely)
		picosat_set_default_phase_lit(s->solver, var, 1);
	return var;
}

void sat_prefer(struct sat *s, int lit)
{
	picosat_set_default_phase_lit(s->solver, lit, 1);
	picosat_set_more_important_lit(s->solver, lit);
}

void sat_clause(struct sat *s, const int *lits, size_t n)
{
	bool holds = false;
	for (size_t i = 0; i < n; i++) {
		holds = holds || sat_true(s, lits[i]);
		picosat_add(s->solver, lits[i]);
	}
	picosat_add(s->solver, 0);
	s->fits = s->fits && holds;
}

bool sat_solve(struct sat *s, const int *assumed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		picosat_assume(s->solver, assumed[i]);
	if (picosat_sat(s->solver, -1) != PICOSAT_SATISFIABLE)
		return false;
	for (size_t i = 1; i < s->n; i++)
		s->model[i] = (signed char)(picosat_deref(s->solver, (int)i) > 0 ? 1 : -1);
	s->fits = true;
	return true;
}

bool sat_model_fits(const struct sat *s)
{
	return s->fits;
}

bool sat_true(const struct sat *s, int lit)
{
	return lit > 0 ? s->model[lit] > 0 : s->model[-lit] < 0;
}

bool sat_failed(const struct sat *s, int lit)
{
	return picosat_failed_assumption(s->solver, lit) != 0;
}
