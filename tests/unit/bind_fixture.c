#include "bind_fixture.h"

#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>

static const char manifest[] =
	"DIST a.tar.gz 5 BLAKE2B aa SHA512 bb\nDIST b.tar.gz 7 SHA512 cc\nEBUILD x 1 SHA512 dd\n";

static const char stages[] =
	"local function stage(name, leaks, guest)\n"
	"\treturn { name = name, root = '$EPREFIX', broots = { '$EPREFIX' }, packages = {},\n"
	"\t\ttools = { path = { '/usr/bin', '/bin' }, CHOST = 'x-y-z', CC = 'cc', shebangs = "
	"true,\n"
	"\t\t\tleaks = leaks, guest = guest, env = { FROM_STAGE = 'yes' } } }\n"
	"end\n"
	"return function() return { stage 'one', stage('leaks', true), stage('guest', true, true) "
	"} end\n";

static void write_file(const char *dir, const char *path, const char *text)
{
	struct err e = ERR_INIT;
	char *full = path_join(dir, path), *parent = xstrdup(full);
	*strrchr(parent, '/') = '\0';
	CHECK_OK(fs_mkdirs(AT_FDCWD, parent, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, full, text, strlen(text), 0644, &e), e);
	free(parent);
	free(full);
}

void bind_fixture_write(const struct bind_fixture *f, const char *path, const char *text)
{
	write_file(f->repo, path, text);
}

void bind_fixture_open(struct bind_fixture *f, const char *recipe)
{
	struct err e = ERR_INIT;
	char *dir = fs_real(test_dir(), &e);
	*f = (struct bind_fixture){
		.repo = path_join(dir, "repo"), .root = path_join(dir, "root"), .stage = "one"
	};
	f->work = path_join(f->root, "var/tmp/portage/app-misc/thing-1.2");
	f->ref = (struct recipe_ref){ f->repo, "app-misc", "thing", "1.2", false };
	bind_fixture_write(f, "app-misc/thing/thing-1.2.lua", recipe);
	bind_fixture_write(f, "app-misc/thing/Manifest", manifest);
	bind_fixture_write(f, "stages.lua", stages);
	CHECK_OK(lua_new(&f->lua, NULL, &e), e);
	free(dir);
}

void bind_fixture_close(struct bind_fixture *f)
{
	lua_free(f->lua);
	free(f->repo);
	free(f->root);
	free(f->work);
}

bool bind_fixture_run(struct bind_fixture *f, const char *use, enum phase last, struct err *e)
{
	char *stage_file = path_join(f->repo, "stages.lua");
	struct step s = { .id = "one:app-misc/thing-1.2",
		.stage = f->stage,
		.root = f->root,
		.category = "app-misc",
		.pn = "thing",
		.pvr = "1.2",
		.slot = "0",
		.repo = "test",
		.repo_path = f->repo,
		.use = use,
		.iuse = "",
		.key = "key",
		.workdir = f->work };
	struct lua_phases phases = { .stages = { .which = stage_file,
					     .facts = "{\"chost\":\"x-y-z\",\"path\":[]}",
					     .eprefix = f->root },
		.confine = f->confine };
	struct worker_env worker = { .eprefix = f->root,
		.distdir = f->repo,
		.jobs = 1,
		.job_fds = { -1, -1 },
		.log_fd = -1 };
	bool ok = lua_phases_open(&phases, &s, &worker, e);
	for (enum phase p = PHASE_UNPACK; ok && p <= last; p++)
		ok = lua_phases_run(&phases, &s, p, e);
	lua_phases_fini(&phases);
	free(stage_file);
	return ok;
}

char *bind_fixture_read(const struct bind_fixture *f, const char *path)
{
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	char *full = path_join(f->work, path);
	bool ok = fs_read(AT_FDCWD, full, &text, &e);
	free(full);
	if (ok)
		return buf_take(&text);
	buf_fini(&text);
	return NULL;
}
