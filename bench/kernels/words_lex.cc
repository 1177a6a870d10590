#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int, char** argv) {
  long words = 0, length = 0, sum = 0;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    std::ifstream in(argv[2]);
    std::string word;
    while (in >> word) {
      ++words;
      length += static_cast<long>(word.size());
      sum += static_cast<unsigned char>(word[0]);
    }
  }
  std::printf("%ld %ld %ld\n", words, length, sum);
}
