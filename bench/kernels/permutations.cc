#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

static size_t Run(size_t n, long& checksum) {
  std::vector<size_t> p(n), q(n), s(n);
  long sign = 1;
  size_t most = 0;
  checksum = 0;
  for (size_t k = 0; k < n; ++k) p[k] = s[k] = k;
  for (;;) {
    size_t first = p[0];
    if (first != 0) {
      for (size_t k = 1; k < n; ++k) q[k] = p[k];
      size_t flips = 1;
      while (q[first] != 0) {
        const size_t t = q[first];
        q[first] = first;
        if (first > 2) {
          for (size_t i = 1, j = first - 1; i < j; ++i, --j) std::swap(q[i], q[j]);
        }
        first = t;
        ++flips;
      }
      checksum += sign * static_cast<long>(flips);
      if (flips > most) most = flips;
    }
    if (sign == 1) {
      std::swap(p[0], p[1]);
      sign = -1;
    } else {
      std::swap(p[1], p[2]);
      sign = 1;
      size_t i = 2;
      for (;;) {
        if (s[i] != 0) {
          --s[i];
          break;
        }
        if (i == n - 1) return most;
        s[i] = i;
        const size_t t = p[0];
        for (size_t k = 0; k <= i; ++k) p[k] = p[k + 1];
        p[++i] = t;
      }
    }
  }
}

int main(int, char** argv) {
  long checksum;
  const size_t most = Run(static_cast<size_t>(std::atol(argv[1])), checksum);
  std::printf("%ld %zu\n", checksum, most);
}
