#include "bind.h"
#include "fs.h"
#include "leak.h"

#include <fcntl.h>
#include <unistd.h>

static void push_flaws(lua_State *L, const struct flaws *f)
{
	lua_createtable(L, (int)f->list.n, 0);
	for (size_t i = 0; i < f->list.n; i++) {
		lua_createtable(L, 0, 3);
		bind_set(L, "kind", flaw_name(f->list.v[i].kind));
		bind_set(L, "path", f->list.v[i].path);
		bind_set(L, "detail", f->list.v[i].detail);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static bool check(const struct leak *l, const char *image, struct flaws *f, struct err *e)
{
	int fd = -1;
	bool ok = fs_open_dir(AT_FDCWD, image, &fd, e) && leak_check_image(l, fd, f, e);
	if (fd >= 0)
		close(fd);
	flaws_sort(f);
	return ok;
}

/* leaks(image, { eprefix, guest, gone = {directories} }) -> list of { kind, path, detail } */
int bind_leaks(lua_State *L)
{
	const char *image = bind_string(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	const char *eprefix = bind_field(L, 2, "eprefix", NULL);
	luaL_argcheck(L, eprefix != NULL, 2, "eprefix");
	bool guest = bind_flag(L, 2, "guest");
	const char *const *gone = bind_list(L, 2, "gone");
	struct err e = ERR_INIT;
	struct flaws found = FLAWS_INIT;
	struct leak l;
	int root = -1;
	bool ok = fs_open_dir(AT_FDCWD, eprefix, &root, &e);
	leak_init(&l, root, eprefix, guest);
	for (size_t i = 0; gone != NULL && gone[i] != NULL; i++)
		leak_forbid(&l, gone[i]);
	ok = ok && check(&l, image, &found, &e);
	if (ok)
		push_flaws(L, &found);
	flaws_fini(&found);
	leak_fini(&l);
	if (root >= 0)
		close(root);
	return bind_done(L, ok, &e, 1);
}
