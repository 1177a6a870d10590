// The twin of bench/gc/binary_trees with malloc and free.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kShallowest = 4;

struct Tree {
  Tree* left;
  Tree* right;
};

Tree* Make(int depth) {
  auto* tree = static_cast<Tree*>(calloc(1, sizeof(Tree)));
  if (depth == 0) return tree;
  tree->left = Make(depth - 1);
  tree->right = Make(depth - 1);
  return tree;
}

int64_t Count(const Tree* tree) {
  return tree->left == nullptr ? 1 : 1 + Count(tree->left) + Count(tree->right);
}

void Free(Tree* tree) {
  if (tree->left != nullptr) {
    Free(tree->left);
    Free(tree->right);
  }
  free(tree);
}

int64_t CountAndFree(Tree* tree) {
  const int64_t count = Count(tree);
  Free(tree);
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  const int deepest = argc > 1 ? std::atoi(argv[1]) : 18;
  int64_t total = CountAndFree(Make(deepest + 1));
  Tree* const kept = Make(deepest);
  for (int depth = kShallowest; depth <= deepest; depth += 2) {
    const int trees = 1 << (deepest - depth + kShallowest);
    for (int i = 0; i < trees; ++i) total += CountAndFree(Make(depth));
  }
  std::printf("%ld\n", static_cast<long>(total + CountAndFree(kept)));
}
