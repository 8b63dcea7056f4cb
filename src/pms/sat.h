#ifndef PMS_SAT_H
#define PMS_SAT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Satisfiability of clauses over variables 1, 2, …; a literal is a variable or its negative. A thin
 * layer over picosat that remembers the last model while clauses are added to it.
 */
struct sat;

struct sat *sat_new(void);
void sat_free(struct sat *s);
/* A new variable; likely: the value to begin with. */
int sat_var(struct sat *s, bool likely);
/* Change that value, and decide on the variable before others. */
void sat_prefer(struct sat *s, int lit);
void sat_clause(struct sat *s, const int *lits, size_t n);
/* Is there a model in which the assumptions hold? It is what sat_true asks from then on. */
bool sat_solve(struct sat *s, const int *assumed, size_t n);
/* Does the last model fit the clauses that were added since? */
bool sat_model_fits(const struct sat *s);
bool sat_true(const struct sat *s, int lit);
/* After sat_solve was false: did the assumption take part in that? */
bool sat_failed(const struct sat *s, int lit);

#endif
