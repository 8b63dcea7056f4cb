#include <stdio.h>
#include <tiny.h>

int main(int argc, char **argv)
{
	printf("%s, %s\n", tiny_greeting(), argc > 1 ? argv[1] : "world");
	return 0;
}
