/*
 * embed OUT FILE...: writes a C source OUT that holds the FILEs, in the order given (sorted by the
 * caller), as the table that src/bind/embed.h declares. Runs on the build host only, so it needs
 * nothing but the C library.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* One string literal per line of input; returns the number of bytes, -1 on a read error. */
static long put_bytes(FILE *in, FILE *out)
{
	long n = 0;
	for (int c; (c = getc(in)) != EOF; n++) {
		if (c == '\n')
			fputs("\\n\"\n\t\"", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c > '~' || c == '?')
			fprintf(out, "\\%03o", (unsigned)c);
		else
			putc(c, out);
	}
	return ferror(in) ? -1 : n;
}

static bool embed(const char *path, int index, FILE *out, long *size)
{
	FILE *in = fopen(path, "rb");
	if (in == NULL) {
		perror(path);
		return false;
	}
	fprintf(out, "static const char file_%d[] =\n\t\"", index);
	*size = put_bytes(in, out);
	fputs("\";\n", out);
	fclose(in);
	if (*size < 0)
		fprintf(stderr, "%s: cannot be read\n", path);
	return *size >= 0;
}

static bool embed_all(int n, char **paths, FILE *out)
{
	fputs("#include \"embed.h\"\n", out);
	for (int i = 0; i < n; i++) {
		long size;
		if (!embed(paths[i], i, out, &size))
			return false;
	}
	fputs("const struct embed_file embed_files[] = {\n", out);
	for (int i = 0; i < n; i++)
		fprintf(out, "\t{ \"%s\", file_%d, sizeof file_%d - 1 },\n", paths[i], i, i);
	fprintf(out, "};\nconst size_t n_embed_files = %d;\n", n);
	return true;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: embed OUT FILE...\n");
		return 2;
	}
	FILE *out = fopen(argv[1], "wb");
	if (out == NULL) {
		perror(argv[1]);
		return 1;
	}
	bool ok = embed_all(argc - 2, argv + 2, out);
	if (fclose(out) != 0) {
		perror(argv[1]);
		ok = false;
	}
	return ok ? 0 : 1;
}
