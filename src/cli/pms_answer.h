#ifndef CLI_PMS_ANSWER_H
#define CLI_PMS_ANSWER_H

#include "dep.h"
#include "err.h"
#include "json_in.h"
#include "mem.h"
#include "str.h"

/* One request of `eprefix pms`, and what its answer is made of. */
struct request {
	struct str line; /* as it came, without its newline */
	const struct json *json; /* of verbs that take an object */
	struct arena *arena;
	struct buf *out;
};

/* Append the answer to r->out; false with *e filled when the request is invalid. */
typedef bool pms_answer(const struct request *r, struct err *e);

/* pms_match.c */
pms_answer pms_answer_match, pms_answer_intersect;
/* pms_reduce.c */
pms_answer pms_answer_reduce, pms_answer_required_use;

/* The failure of a request that lacks a member. */
bool request_lacks(struct err *e, const char *member);
/* Strings of a JSON array; anything else gives an empty list. */
struct flag_list request_strings(const struct request *r, const struct json *array);

#endif
