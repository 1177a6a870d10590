#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int, char** argv) {
  size_t lines = 0, length = 0;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    FILE* in = std::fopen(argv[2], "r");
    FILE* out = std::fopen("/dev/null", "w");
    char line[4096];
    while (std::fgets(line, sizeof line, in) != nullptr) {
      size_t size = std::strlen(line);
      if (size > 0 && line[size - 1] == '\n') line[--size] = '\0';
      ++lines;
      length += size;
      std::fputs(line, out);
      std::fputc('\n', out);
    }
    std::fclose(in);
    std::fclose(out);
  }
  std::printf("%zu %zu\n", lines, length);
}
