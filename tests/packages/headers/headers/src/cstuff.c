#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include "cstuff.h"
int stuff_counter = 42;
int stuff_fill(stuff_t *s, int n) { s->a = n; s->b = 'x'; s->c = -3; s->d = 2.5; s->bits = 0xA5; return n * 2; }
char *stuff_name(void) { return "stuff"; }
void stuff_sort(void *base, int n, int size, int (*cmp)(const void *, const void *)) { qsort(base, n, size, cmp); }
stuff_t stuff_make(int n) { stuff_t s; memset(&s, 0, sizeof s); stuff_fill(&s, n); return s; }
double stuff_sum(stuff_t s, float f) { return s.a + s.d + f; }
