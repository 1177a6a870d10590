#include <cstdint>
#include <cstdio>
#include <cstdlib>

static long Place(long row, long n, uint64_t columns, uint64_t up, uint64_t down) {
  if (row == n) return 1;
  long count = 0;
  for (long column = 0; column < n; ++column) {
    const uint64_t c = uint64_t{1} << column;
    const uint64_t u = uint64_t{1} << (row + column);
    const uint64_t d = uint64_t{1} << (row - column + 31);
    if ((columns & c) == 0 && (up & u) == 0 && (down & d) == 0) {
      count += Place(row + 1, n, columns | c, up | u, down | d);
    }
  }
  return count;
}

int main(int, char** argv) { std::printf("%ld\n", Place(0, std::atol(argv[1]), 0, 0, 0)); }
