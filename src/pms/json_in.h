#ifndef PMS_JSON_IN_H
#define PMS_JSON_IN_H

#include "err.h"
#include "str.h"

#include <stddef.h>

/* Reading JSON; the only user of cJSON. A value is borrowed from the document it is part of. */
struct json;

/* The document in text, the caller's to free; NULL with *e filled (ERR_USAGE) on failure. */
struct json *json_parse(struct str text, struct err *e);
void json_free(struct json *doc);

/* The member of an object; NULL when it is absent or null, or when object is none. */
const struct json *json_get(const struct json *object, const char *name);
/* Items of an array or members of an object; 0 for anything else. */
size_t json_count(const struct json *j);
const struct json *json_at(const struct json *j, size_t i);
/* The next sibling of an item or member, NULL at the end; json_at(j, 0) is the first. */
const struct json *json_next(const struct json *j);
/* The name of a member. */
struct str json_name(const struct json *j);
bool json_is_array(const struct json *j);
bool json_is_object(const struct json *j);
bool json_is_string(const struct json *j);
/* Its text; empty when j is NULL or no string. */
struct str json_string(const struct json *j);
/* true only for the literal. */
bool json_true(const struct json *j);
/* The number, or fallback. */
double json_number(const struct json *j, double fallback);

#endif
