// The twin of bench/gc/texts with std::string.
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr long kLines = 1000000;
constexpr long kKept = 20000;

}  // namespace

int main() {
  std::vector<std::string> kept(kKept);
  long sum = 0;
  for (long i = 0; i < kLines; ++i) {
    std::string line = "line number " + std::to_string(i) + " follows the one whose number is " +
                       std::to_string(i * 7);
    sum += static_cast<long>(line.size());
    if (i >= kKept) sum += kept[static_cast<size_t>(i % kKept)][14];
    kept[static_cast<size_t>(i % kKept)] = std::move(line);
  }
  std::printf("%ld\n", sum);
}
