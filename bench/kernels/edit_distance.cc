#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static size_t Distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] =
          a[i - 1] == b[j - 1] ? diagonal : 1 + std::min(diagonal, std::min(above, row[j - 1]));
      diagonal = above;
    }
  }
  return row[b.size()];
}

int main(int, char** argv) {
  size_t sum = 0;
  const long count = std::atol(argv[1]);
  for (long i = 1; i <= count; ++i) {
    sum += Distance(
        "the quick brown fox " + std::to_string(i * 7919) + " jumps over the lazy dog and runs",
        "a quack brown box " + std::to_string(i * 104729) + " jumped over a lazy cog and ran away");
  }
  std::printf("%zu\n", sum);
}
