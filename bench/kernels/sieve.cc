#include <cstdio>
#include <cstdlib>
#include <vector>

static long Primes(size_t n) {
  std::vector<char> composite(n + 1);
  long found = 0;
  for (size_t i = 2; i <= n; ++i) {
    if (composite[i]) continue;
    ++found;
    for (size_t j = i + i; j <= n; j += i) composite[j] = true;
  }
  return found;
}

int main(int, char** argv) {
  long found = 0;
  const long rounds = std::atol(argv[1]);
  for (long round = 1; round <= rounds; ++round)
    found += Primes(static_cast<size_t>(300000 + round));
  std::printf("%ld\n", found);
}
