#include <cstdio>
#include <cstdlib>
#include <memory>

struct Node {
  std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> Make(long depth) {
  auto node = std::make_unique<Node>();
  if (depth > 0) {
    node->left = Make(depth - 1);
    node->right = Make(depth - 1);
  }
  return node;
}

static long Count(const Node& node) {
  return node.left == nullptr ? 1 : 1 + Count(*node.left) + Count(*node.right);
}

int main(int, char** argv) {
  const long n = std::atol(argv[1]);
  const auto longest = Make(n);
  for (long depth = 4; depth <= n; depth += 2) {
    long sum = 0;
    for (long i = 1L << (n + 4 - depth); i > 0; --i) sum += Count(*Make(depth));
    std::printf("%ld %ld\n", depth, sum);
  }
  std::printf("%ld\n", Count(*longest));
}
