#ifndef STATS_H
#define STATS_H
#include <stdint.h>

struct summary {
  int32_t count;
  double mean, deviation;
};

void summarize(const double *values, int64_t count, struct summary *result);

/* Calls `visit` for each word of the text, with `context`; stops when `visit` returns 0. */
int each_word(const char *text, int (*visit)(void *context, const char *word), void *context);

#endif
