#include <cstdio>
#include <cstdlib>
#include <string>

int main(int, char** argv) {
  size_t length = 0, sum = 0;
  double x = 0.001;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    char characters[64];
    const int size = std::snprintf(characters, sizeof characters, "%.6f", x);
    const std::string t(characters, static_cast<size_t>(size));
    length += t.size();
    sum += static_cast<unsigned char>(t.back());
    x += 1.2345678;
  }
  std::printf("%zu %zu\n", length, sum);
}
