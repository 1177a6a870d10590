#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

struct Node {
  int64_t key, value;
  Node *next, *previous;
};

static constexpr size_t kCapacity = 200000;
static std::unordered_map<int64_t, Node*> table;
static Node *first, *last;
static uint64_t state = 1;
static int64_t hits, sum;

static int64_t Next() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int64_t>(state >> 33);
}

static void Unlink(Node* n) {
  (n->previous == nullptr ? first : n->previous->next) = n->next;
  (n->next == nullptr ? last : n->next->previous) = n->previous;
}

static void PutFirst(Node* n) {
  n->previous = nullptr;
  n->next = first;
  (first == nullptr ? last : first->previous) = n;
  first = n;
}

static int64_t Request(int64_t key) {
  const auto found = table.find(key);
  if (found != table.end()) {
    Node* n = found->second;
    ++hits;
    if (n != first) {
      Unlink(n);
      PutFirst(n);
    }
    return n->value;
  }
  if (table.size() == kCapacity) {
    Node* old = last;
    table.erase(old->key);
    Unlink(old);
    delete old;
  }
  Node* n = new Node{key, key * 3, nullptr, nullptr};
  table.emplace(key, n);
  PutFirst(n);
  return n->value;
}

int main(int, char** argv) {
  for (long i = std::atol(argv[1]); i > 0; --i) {
    const int64_t a = Next() % 600000;
    sum += Request(std::min(a, Next() % 600000));
  }
  std::printf("%ld %ld\n", static_cast<long>(hits), static_cast<long>(sum));
}
