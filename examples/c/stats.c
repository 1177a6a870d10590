#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void summarize(const double *values, int64_t count, struct summary *result) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < count; ++i) sum += values[i];
  result->count = (int32_t)count;
  result->mean = count > 0 ? sum / (double)count : 0;
  for (int64_t i = 0; i < count; ++i) {
    squares += (values[i] - result->mean) * (values[i] - result->mean);
  }
  result->deviation = count > 0 ? sqrt(squares / (double)count) : 0;
}

int each_word(const char *text, int (*visit)(void *context, const char *word), void *context) {
  char *copy = strdup(text), *rest = copy, *word;
  int visited = 0;
  while ((word = strtok_r(rest, " ", &rest)) != NULL && visit(context, word)) ++visited;
  free(copy);
  return visited;
}
