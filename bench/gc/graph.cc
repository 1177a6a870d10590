// The twin of bench/gc/graph with malloc and free.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

constexpr long kNodes = 500000;
constexpr long kSteps = 6000000;

struct Part {
  long a, b, c;
};

struct Node {
  Part* part;
  Node* next;
  long uses;
};

long state = 1;

size_t Random() {
  state = (state * 1103515245 + 12345) & 0x7fffffff;
  return static_cast<size_t>(state / 8 % kNodes);
}

template <typename T>
T* New(T value) {
  auto* object = static_cast<T*>(malloc(sizeof(T)));
  *object = value;
  return object;
}

void Change(Node* n, Node* m, long step) {
  if (step % 3 == 0) {
    Part* part = New(Part{step, n->part->a, n->uses});
    free(n->part);
    n->part = part;
  } else {
    std::swap(n->part, m->part);
  }
  n->next = m;
  ++m->uses;
}

}  // namespace

int main() {
  std::vector<Node*> nodes;
  for (long i = 0; i < kNodes; ++i) nodes.push_back(New(Node{New(Part{i, 0, 0}), nullptr, 0}));
  for (long step = 1; step <= kSteps; ++step) {
    Node* n = nodes[Random()];
    Node* m = nodes[Random()];
    Change(n, m, step);
  }
  long sum = 0;
  for (Node* node : nodes) {
    sum = (sum * 31 + node->part->a + node->part->b + node->part->c) & 0xffffffff;
    if (node->next != nullptr) sum += node->next->uses;
  }
  std::printf("%ld\n", sum);
  for (Node* node : nodes) {
    free(node->part);
    free(node);
  }
}
