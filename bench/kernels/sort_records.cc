#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

struct Item {
  long key;
  double weight;
  size_t number;
};
using Before = bool (*)(const Item&, const Item&);

static uint64_t state = 1;

static long Next() {
  state = state * 6364136223846793005 + 1442695040888963407;
  return static_cast<long>(state >> 33);
}

static bool IsBefore(const Item& a, const Item& b) {
  return a.key < b.key || (a.key == b.key && a.weight < b.weight);
}

static void Sort(std::span<Item> a, Before before) {
  if (a.size() < 2) return;
  const Item pivot = a[a.size() / 2];
  long i = 0;
  long j = static_cast<long>(a.size()) - 1;
  while (i <= j) {
    while (before(a[static_cast<size_t>(i)], pivot)) ++i;
    while (before(pivot, a[static_cast<size_t>(j)])) --j;
    if (i <= j) std::swap(a[static_cast<size_t>(i++)], a[static_cast<size_t>(j--)]);
  }
  Sort(a.first(static_cast<size_t>(j + 1)), before);
  Sort(a.subspan(static_cast<size_t>(i)), before);
}

int main(int, char** argv) {
  constexpr size_t kCount = 50000;
  std::vector<Item> items(kCount);
  size_t sum = 0;
  for (long round = std::atol(argv[1]); round > 0; --round) {
    for (size_t i = 0; i < kCount; ++i) {
      items[i].key = Next() % 5000;
      items[i].weight = static_cast<double>(Next());
      items[i].number = i;
    }
    Sort(items, IsBefore);
    for (size_t i = 0; i < kCount; i += 100) sum += items[i].number * (i % 7);
  }
  std::printf("%zu\n", sum);
}
