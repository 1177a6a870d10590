// The twin of bench/mutator in C++: nodes come from an arena, so that allocation is an addition and
// a comparison. Allocation cycles through the arena's 16 MB. For `tree-make-emptied` the arena is
// emptied at the start of each round, because the program knows that all nodes are dead then: its
// 200 KB stay in the cache, a bound that no collector reaches.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr size_t kArenaBytes = 16 << 20;
char* arena_begin;
char* arena;
char* arena_end;

clock_t start;

void Begin() { start = clock(); }

void End(const char* name, int64_t result) {
  const auto us = static_cast<double>(clock() - start);
  printf("%s %lld %.3f ms\n", name, static_cast<long long>(result), us / 1e3);
}

void Empty() { arena = arena_begin; }

// Zeroed, like a new object.
void* Take(size_t bytes) {
  if (static_cast<size_t>(arena_end - arena) < bytes) Empty();
  void* place = arena;
  arena += bytes;
  return memset(place, 0, bytes);
}

struct Cell {
  Cell* next;
  int64_t value;
};

struct Tree {
  Tree* left;
  Tree* right;
  int64_t key;
};

__attribute__((noinline)) Cell* MakeList(int64_t n) {
  Cell* list = nullptr;
  for (int64_t i = 1; i <= n; ++i) {
    auto* cell = static_cast<Cell*>(Take(sizeof(Cell)));
    cell->next = list;
    cell->value = i;
    list = cell;
  }
  return list;
}

__attribute__((noinline)) int64_t Sum(const Cell* list) {
  int64_t sum = 0;
  for (; list != nullptr; list = list->next) sum += list->value;
  return sum;
}

__attribute__((noinline)) Cell* Reverse(Cell* list) {
  Cell* result = nullptr;
  while (list != nullptr) {
    Cell* next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

void Lists() {
  int64_t sum = 0;
  Begin();
  for (int round = 0; round < 20000; ++round) sum += Sum(MakeList(1000));
  End("list-make", sum);
  Cell* list = MakeList(1000);
  Begin();
  for (int round = 0; round < 50000; ++round) list = Reverse(list);
  End("list-reverse", Sum(list));
}

void Insert(Tree*& t, int64_t key) {
  if (t == nullptr) {
    t = static_cast<Tree*>(Take(sizeof(Tree)));
    t->key = key;
  } else if (key < t->key) {
    Insert(t->left, key);
  } else if (key > t->key) {
    Insert(t->right, key);
  }
}

int64_t Depths(const Tree* t, int64_t depth) {
  if (t == nullptr) return 0;
  return depth + Depths(t->left, depth + 1) + Depths(t->right, depth + 1);
}

Tree* Make(int64_t depth) {
  if (depth == 0) return static_cast<Tree*>(Take(sizeof(Tree)));
  Tree* left = Make(depth - 1);
  Tree* right = Make(depth - 1);
  auto* t = static_cast<Tree*>(Take(sizeof(Tree)));
  t->left = left;
  t->right = right;
  return t;
}

void Trees() {
  Tree* t = nullptr;
  uint64_t state = 1;
  int64_t sum = 0;
  Begin();
  for (int round = 0; round < 3000; ++round) sum += Depths(Make(12), 0);
  End("tree-make", sum);
  sum = 0;
  Begin();
  for (int round = 0; round < 3000; ++round) {
    Empty();
    sum += Depths(Make(12), 0);
  }
  End("tree-make-emptied", sum);
  sum = 0;
  Begin();
  for (int round = 0; round < 200; ++round) {
    t = nullptr;
    for (int i = 0; i < 5000; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      Insert(t, static_cast<int64_t>(state >> 33));
    }
    sum += Depths(t, 0);
  }
  End("tree-insert", sum);
  Begin();
  for (int round = 0; round < 5000; ++round) sum += Depths(t, 0);
  End("tree-walk", sum);
}

struct Vector {
  int64_t length;
  int64_t elements[];
};

Vector* NewVector(int64_t length) {
  auto* a = static_cast<Vector*>(Take(sizeof(Vector) + 8 * static_cast<size_t>(length)));
  a->length = length;
  return a;
}

struct References {
  int64_t length;
  Cell* elements[];
};

// Subscripts are checked, as in Modula-3.
template <typename Array>
auto& At(Array* a, int64_t i) {
  if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(a->length)) abort();
  return a->elements[i];
}

void Arrays() {
  int64_t sum = 0;
  Vector* a = nullptr;
  Begin();
  for (int64_t round = 1; round <= 10000000; ++round) {
    a = NewVector(4);
    asm volatile("" : "+r"(a) : : "memory");
    At(a, 1) = round;
    sum += At(a, 1);
  }
  End("array-make", sum);
  a = NewVector(1000);
  sum = 0;
  Begin();
  for (int64_t round = 1; round <= 200000; ++round) {
    for (int64_t i = 0; i < a->length; ++i) {
      At(a, i) += round;
      sum += At(a, i);
    }
  }
  End("array-sum", sum);
  Begin();
  for (int round = 0; round < 20000; ++round) {
    for (int64_t i = 0; i < a->length; ++i) At(a, i) = (999 - i * 7919) & 1023;
    for (int64_t i = 1; i < a->length; ++i) {
      if (At(a, i) < At(a, i - 1)) {
        const int64_t x = At(a, i);
        At(a, i) = At(a, i - 1);
        At(a, i - 1) = x;
      }
      sum += At(a, i);
    }
  }
  End("array-swap", sum);
  Begin();
  auto* cells = static_cast<References*>(Take(sizeof(References) + 1024 * sizeof(Cell*)));
  cells->length = 1024;
  for (int64_t i = 0; i < cells->length; ++i) {
    Cell* cell = static_cast<Cell*>(Take(sizeof(Cell)));
    cell->value = i;
    At(cells, i) = cell;
  }
  for (int round = 0; round < 60000; ++round) {
    for (int64_t i = 0; i < cells->length; ++i) At(cells, i) = At(cells, (i + 5) & 1023);
    asm volatile("" : : : "memory");
  }
  End("array-of-references", At(cells, 17)->value);
}

}  // namespace

int main() {
  arena_begin = static_cast<char*>(malloc(kArenaBytes));
  memset(arena_begin, 1, kArenaBytes);
  arena_end = arena_begin + kArenaBytes;
  Empty();
  Lists();
  Trees();
  Arrays();
}
