#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int, char** argv) {
  size_t lines = 0, length = 0;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    std::ifstream in(argv[2]);
    std::ofstream out("/dev/null");
    std::string line;
    while (std::getline(in, line)) {
      ++lines;
      length += line.size();
      out << line << '\n';
    }
  }
  std::printf("%zu %zu\n", lines, length);
}
