#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

static constexpr int64_t kDistinct = 50000;
static uint64_t state = 1;

static int64_t Next() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int64_t>(state >> 33);
}

int main(int, char** argv) {
  std::unordered_map<std::string, int64_t> table;
  std::vector<std::string> words;
  for (int64_t i = 0; i < kDistinct; ++i) {
    words.push_back("word" + std::to_string(i * 7919 % 100003));
  }
  for (long i = std::atol(argv[1]); i > 0; --i) {
    const int64_t a = Next() % kDistinct;
    ++table[words[std::min(a, Next() % kDistinct)]];
  }
  int64_t sum = 0;
  for (const std::string& word : words) {
    const auto found = table.find(word);
    if (found != table.end()) sum += found->second * static_cast<int64_t>(word.size());
  }
  std::printf("%zu %ld\n", table.size(), static_cast<long>(sum));
}
