#include "json_in.h"

#include <cJSON.h>

static const cJSON *in(const struct json *j)
{
	return (const cJSON *)j;
}

struct json *json_parse(struct str text, struct err *e)
{
	const char *end = NULL;
	cJSON *doc = cJSON_ParseWithLengthOpts(text.p, text.n, &end, false);
	struct str rest = { end, end != NULL ? text.n - (size_t)(end - text.p) : 0 };
	if (doc != NULL && str_trim(rest).n == 0)
		return (struct json *)doc;
	size_t at = end != NULL ? (size_t)(end - text.p) + 1 : 1;
	err_set(e, ERR_USAGE, "json", "this is no JSON; it goes wrong at byte %zu", at);
	cJSON_Delete(doc);
	return NULL;
}

void json_free(struct json *doc)
{
	cJSON_Delete((cJSON *)doc);
}

const struct json *json_get(const struct json *object, const char *name)
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(in(object), name);
	return j != NULL && !cJSON_IsNull(j) ? (const struct json *)j : NULL;
}

size_t json_count(const struct json *j)
{
	return j != NULL ? (size_t)cJSON_GetArraySize(in(j)) : 0;
}

const struct json *json_at(const struct json *j, size_t i)
{
	return (const struct json *)cJSON_GetArrayItem(in(j), (int)i);
}

const struct json *json_next(const struct json *j)
{
	return (const struct json *)in(j)->next;
}

struct str json_name(const struct json *j)
{
	return str_of(in(j)->string);
}

bool json_is_array(const struct json *j)
{
	return cJSON_IsArray(in(j));
}

bool json_is_object(const struct json *j)
{
	return cJSON_IsObject(in(j));
}

bool json_is_string(const struct json *j)
{
	return cJSON_IsString(in(j));
}

struct str json_string(const struct json *j)
{
	return str_of(json_is_string(j) ? in(j)->valuestring : "");
}

bool json_true(const struct json *j)
{
	return cJSON_IsTrue(in(j));
}

double json_number(const struct json *j, double fallback)
{
	return cJSON_IsNumber(in(j)) ? in(j)->valuedouble : fallback;
}
