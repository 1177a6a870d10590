// The twin of bench/gc/gcbench with malloc and free.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kStretch = 20;
constexpr int kLongLived = 18;
constexpr int kArraySize = 4000000;
constexpr int kShallowest = 4;
constexpr int kDeepest = 18;

struct Node {
  Node* left;
  Node* right;
  long i, j;
};

Node* NewNode() { return static_cast<Node*>(calloc(1, sizeof(Node))); }

int NodesOf(int depth) { return (1 << (depth + 1)) - 1; }

void Populate(int depth, Node* node) {
  if (depth <= 0) return;
  node->left = NewNode();
  node->right = NewNode();
  Populate(depth - 1, node->left);
  Populate(depth - 1, node->right);
}

Node* Make(int depth) {
  Node* node = NewNode();
  if (depth == 0) return node;
  node->left = Make(depth - 1);
  node->right = Make(depth - 1);
  return node;
}

void Free(Node* node) {
  if (node == nullptr) return;
  Free(node->left);
  Free(node->right);
  free(node);
}

}  // namespace

int main() {
  Free(Make(kStretch));
  Node* kept = NewNode();
  Populate(kLongLived, kept);
  auto* array = static_cast<double*>(calloc(kArraySize, sizeof(double)));
  for (int i = 1; i < kArraySize / 2; ++i) array[i] = 1.0 / i;
  for (int depth = kShallowest; depth <= kDeepest; depth += 2) {
    const int rounds = 2 * NodesOf(kStretch) / NodesOf(depth);
    for (int i = 0; i < rounds; ++i) {
      Node* node = NewNode();
      Populate(depth, node);
      Free(node);
      Free(Make(depth));
    }
  }
  if (kept->left != nullptr && array[1000] == 1.0 / 1000) std::puts("done");
  Free(kept);
  free(array);
}
