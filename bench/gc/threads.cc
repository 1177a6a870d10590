// The twin of bench/gc/threads with malloc and free.
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 400;
constexpr int kLength = 20000;
constexpr int kKept = 8;

struct List {
  long n;
  List* next;
};

void Free(List* list) {
  while (list != nullptr) {
    List* next = list->next;
    free(list);
    list = next;
  }
}

long Work() {
  List* kept[kKept] = {};
  long sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    List* list = nullptr;
    for (int i = 1; i <= kLength; ++i) {
      auto* cell = static_cast<List*>(malloc(sizeof(List)));
      *cell = {i, list};
      list = cell;
    }
    Free(kept[round % kKept]);
    kept[round % kKept] = list;
    for (; list != nullptr; list = list->next) sum += list->n;
  }
  for (List* list : kept) Free(list);
  return sum;
}

}  // namespace

int main() {
  long sums[kThreads];
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread([&sums, i] { sums[i] = Work(); });
  long sum = 0;
  for (int i = 0; i < kThreads; ++i) {
    threads[i].join();
    sum += sums[i];
  }
  std::printf("%ld\n", sum);
}
