#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

struct Node {
  virtual ~Node() = default;
  virtual long Value(long x) const = 0;
};
using NodePtr = std::unique_ptr<Node>;

static long Mod(long a, long b) { return (a % b + b) % b; }
static long Div(long a, long b) { return (a - Mod(a, b)) / b; }

struct Number : Node {
  explicit Number(long n) : number(n) {}
  long Value(long) const override { return number; }
  long number;
};
struct Variable : Node {
  long Value(long x) const override { return x; }
};
struct Operation : Node {
  Operation(char o, NodePtr l, NodePtr r) : op(o), left(std::move(l)), right(std::move(r)) {}
  long Value(long x) const override {
    const long a = left->Value(x);
    const long b = right->Value(x);
    switch (op) {
      case '+': return a + b;
      case '-': return a - b;
      case '*': return Mod(a * b, 1000003);
      default: return Div(a, Mod(b, 7) + 1);
    }
  }
  char op;
  NodePtr left, right;
};

static std::string text;
static size_t at;

static char Peek() { return at < text.size() ? text[at] : ';'; }

static NodePtr Sum();

static NodePtr Factor() {
  if (Peek() == '(') {
    ++at;
    NodePtr node = Sum();
    ++at;
    return node;
  }
  if (Peek() == 'x') {
    ++at;
    return std::make_unique<Variable>();
  }
  long n = 0;
  while (Peek() >= '0' && Peek() <= '9') n = 10 * n + text[at++] - '0';
  return std::make_unique<Number>(n);
}

static NodePtr Product() {
  NodePtr node = Factor();
  while (Peek() == '*' || Peek() == '/') {
    const char op = text[at++];
    node = std::make_unique<Operation>(op, std::move(node), Factor());
  }
  return node;
}

static NodePtr Sum() {
  NodePtr node = Product();
  while (Peek() == '+' || Peek() == '-') {
    const char op = text[at++];
    node = std::make_unique<Operation>(op, std::move(node), Product());
  }
  return node;
}

int main(int, char** argv) {
  long sum = 0;
  const long count = std::atol(argv[1]);
  for (long i = 1; i <= count; ++i) {
    text = "(x+" + std::to_string(i) + ")*3-x*x/(4+x)+(" + std::to_string(i % 100) + "-x)*(x+17)";
    at = 0;
    const NodePtr tree = Sum();
    for (long x = 0; x <= 9; ++x) sum = Mod(sum + tree->Value(x), 1000000007);
  }
  std::printf("%ld\n", sum);
}
