#include <stdio.h>

int main(void) { return puts("int held(void) { return ANSWER; }") < 0; }
