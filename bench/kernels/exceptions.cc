#include <cstdio>
#include <cstdlib>

struct Deep {
  long value;
};

static long depth = 0;

static long Down(long n) {
  ++depth;
  if (n == 0) throw Deep{depth};
  return Down(n - 1) + depth % 3;
}

int main(int, char** argv) {
  long sum = 0;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    try {
      sum += Down(10);
    } catch (const Deep& deep) {
      sum += deep.value % 7;
    }
  }
  std::printf("%ld\n", sum);
}
