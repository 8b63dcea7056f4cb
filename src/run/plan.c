#include "plan.h"

#include "digest.h"
#include "fs.h"
#include "plan_graph.h"
#include "timings.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* CPU seconds of a package that nobody knows anything about: a small autotools one. */
#define DEFAULT_CPU_S 20.0

const char *reason_text(enum step_reason r)
{
	static const char *const texts[] = {
		[REASON_NEW] = "new",
		[REASON_CHANGED] = "recipe, flags, sources or tools changed",
		[REASON_GONE] = "no longer installed as it was built",
		[REASON_REDO] = "asked for",
		[REASON_RESUME] = "goes on where it stopped",
		[REASON_CURRENT] = "current",
	};
	return texts[r];
}

/* Add one part of a key: its length goes in front, so that no two lists of parts read the same. */
static void key_part(struct digest *d, const char *name, const char *value)
{
	char head[64];
	int n = snprintf(head, sizeof head, "%s %zu ", name, strlen(value));
	digest_add(d, head, (size_t)n);
	digest_add(d, value, strlen(value));
}

static void key_sources(struct digest *d, const struct pkg_meta *m)
{
	for (size_t i = 0; i < m->n_sources; i++) {
		const struct source *s = &m->sources[i];
		key_part(d, "source", "");
		for (size_t j = 0; j < s->alternatives.n; j++) {
			const struct source_file *f = &s->alternatives.v[j];
			key_part(d, "file", f->name);
			key_part(d, "sum",
				f->sha512 != NULL    ? f->sha512
				: f->blake2b != NULL ? f->blake2b
						     : "");
		}
	}
}

/* A digest to which the package itself has been added, without what it was built with. */
static struct digest *key_begin(const struct pkg_meta *m, const char *tools)
{
	struct digest *d = digest_new(DIGEST_SHA256);
	key_part(d, "category", m->category);
	key_part(d, "pn", m->pn);
	key_part(d, "pvr", m->pvr);
	key_part(d, "slot", m->slot != NULL ? m->slot : "");
	key_part(d, "recipe", m->recipe_digest != NULL ? m->recipe_digest : "");
	key_part(d, "patches", m->patches_digest != NULL ? m->patches_digest : "");
	key_part(d, "use", m->use != NULL ? m->use : "");
	key_part(d, "tools", tools != NULL ? tools : "");
	for (size_t i = 0; m->conf != NULL && m->conf[i] != NULL; i++)
		key_part(d, "conf", m->conf[i]);
	key_sources(d, m);
	return d;
}

static const char *key_end(struct arena *a, struct digest *d)
{
	char hex[DIGEST_HEX_MAX];
	digest_hex(d, DIGEST_SHA256, hex);
	digest_free(d);
	return arena_strdup(a, hex);
}

/* The step's fields that come straight from the package. */
static struct step new_step(
	struct plan *p, const char *stage, const char *root, const struct pkg_meta *m)
{
	struct arena *a = &p->arena;
	struct step s = { .stage = stage,
		.root = arena_strdup(a, root),
		.category = m->category,
		.pn = m->pn,
		.pvr = m->pvr,
		.slot = m->slot,
		.repo = m->repo,
		.repo_path = m->repo_path,
		.use = m->use != NULL ? m->use : "",
		.iuse = m->iuse != NULL ? m->iuse : "",
		.conf = m->conf,
		.sources = m->sources,
		.n_sources = m->n_sources,
		.est_cpu_s = m->cpu_s,
		.mem_mb = m->mem_mb };
	s.id = arena_printf(a, "%s:%s/%s-%s", stage, m->category, m->pn, m->pvr);
	s.workdir =
		arena_printf(a, "%s/var/tmp/portage/%s/%s-%s", root, m->category, m->pn, m->pvr);
	s.log = arena_printf(a, "%s/var/log/portage/%s/%s:%s-%s.log", p->eprefix, stage,
		m->category, m->pn, m->pvr);
	return s;
}

/* Turn node `at` into the next step. place[]: where each node went. */
static void add_step(struct plan *p, const struct graph *g, size_t at, size_t *place)
{
	const struct node *n = &g->nodes.v[at];
	const struct stage *stage = &g->stages[n->stage];
	struct step s = new_step(p, p->stages.v[n->stage], stage->root, &n->meta);
	struct digest *d = key_begin(&n->meta, stage->tools_text);
	size_t *deps = arena_alloc(&p->arena, (n->edges.n + 1) * sizeof *deps);
	for (size_t i = 0; i < n->edges.n; i++) {
		const struct edge *edge = &n->edges.v[i];
		deps[i] = place[edge->to];
		if (edge->kind == EDGE_BUILD || edge->kind == EDGE_TOOL)
			key_part(d, "with", p->steps.v[place[edge->to]].key);
	}
	s.key = key_end(&p->arena, d);
	s.deps = deps;
	s.n_deps = n->edges.n;
	place[at] = p->steps.n;
	vec_push(&p->steps, s);
	vec_push(&p->info, (struct step_plan){ .stage = n->stage });
}

void graph_steps(const struct graph *g, struct plan *p)
{
	size_t *order = xcalloc(g->nodes.n, sizeof *order);
	size_t *place = xcalloc(g->nodes.n, sizeof *place);
	graph_order(g, order);
	for (size_t i = 0; i < g->nodes.n; i++)
		add_step(p, g, order[i], place);
	free(order);
	free(place);
}

bool plan_bootstrap(struct plan *p, const struct plan_request *r, struct err *e)
{
	*p = PLAN_INIT;
	p->eprefix = arena_strdup(&p->arena, r->eprefix);
	for (size_t i = 0; i < r->n_stages; i++)
		vec_push(&p->stages, arena_strdup(&p->arena, r->stages[i].name));
	struct graph g = { .arena = &p->arena,
		.stages = r->stages,
		.n_stages = r->n_stages,
		.source = r->source,
		.notes = &p->notes };
	bool ok = graph_build(&g, e);
	if (ok) {
		graph_steps(&g, p);
		plan_estimate(p, NULL);
	}
	graph_fini(&g);
	return ok;
}

void plan_fini(struct plan *p)
{
	vec_fini(&p->steps);
	vec_fini(&p->info);
	vec_fini(&p->stages);
	strv_fini(&p->notes);
	arena_fini(&p->arena);
}

void plan_estimate(struct plan *p, const struct timings *t)
{
	for (size_t i = 0; i < p->steps.n; i++) {
		struct step *s = &p->steps.v[i];
		const struct timing *known = t != NULL ? timings_of(t, s) : NULL;
		if (known != NULL)
			s->est_cpu_s = timing_cpu(known);
		else if (s->est_cpu_s <= 0)
			s->est_cpu_s = DEFAULT_CPU_S;
		p->info.v[i].tail_s = s->est_cpu_s;
	}
	/* Steps come after what they wait for, so backwards each tail is final when it is used. */
	for (size_t i = p->steps.n; i-- > 0;) {
		const struct step *s = &p->steps.v[i];
		for (size_t j = 0; j < s->n_deps; j++) {
			struct step_plan *first = &p->info.v[s->deps[j]];
			double with = p->steps.v[s->deps[j]].est_cpu_s + p->info.v[i].tail_s;
			if (with > first->tail_s)
				first->tail_s = with;
		}
	}
}

size_t plan_find(const struct plan *p, const char *id)
{
	for (size_t i = 0; i < p->steps.n; i++) {
		if (strcmp(p->steps.v[i].id, id) == 0)
			return i;
	}
	return SIZE_MAX;
}
