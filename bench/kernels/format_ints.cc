#include <cstdio>
#include <cstdlib>
#include <string>

int main(int, char** argv) {
  size_t length = 0, sum = 0;
  const long n = std::atol(argv[1]);
  for (long i = 1; i <= n; ++i) {
    const std::string t = std::to_string(i * 7919);
    length += t.size();
    sum += static_cast<unsigned char>(t.back());
  }
  std::printf("%zu %zu\n", length, sum);
}
