#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct Value {
  virtual ~Value() = default;
  virtual long Sum() const = 0;
};
using ValuePtr = std::unique_ptr<Value>;

struct Number : Value {
  explicit Number(long v) : value(v) {}
  long Sum() const override { return value; }
  long value;
};
struct String : Value {
  explicit String(std::string v) : value(std::move(v)) {}
  long Sum() const override { return static_cast<long>(value.size()); }
  std::string value;
};
struct Array : Value {
  long Sum() const override {
    long sum = 0;
    for (const ValuePtr& value : values) sum += value->Sum();
    return sum;
  }
  std::vector<ValuePtr> values;
};
struct Object : Value {
  long Sum() const override {
    long sum = 0;
    for (const auto& [key, value] : values) sum += static_cast<long>(key.size()) + value->Sum();
    return sum;
  }
  std::unordered_map<std::string, ValuePtr> values;
};

static std::string text;
static size_t at;

static void Blanks() {
  while (text[at] == ' ' || text[at] == '\n') ++at;
}

static bool Take(char c) {
  Blanks();
  if (text[at] != c) return false;
  ++at;
  return true;
}

static std::string ParseString() {
  const size_t start = ++at;
  while (text[at] != '"' && text[at] != '\\') ++at;
  std::string result = text.substr(start, at - start);
  while (text[at] != '"') {
    if (text[at] == '\\') ++at;
    result += text[at++];
  }
  ++at;
  return result;
}

static ValuePtr Parse() {
  Blanks();
  switch (text[at]) {
    case '{': {
      ++at;
      auto object = std::make_unique<Object>();
      if (Take('}')) return object;
      do {
        Blanks();
        std::string key = ParseString();
        Take(':');
        object->values[std::move(key)] = Parse();
      } while (Take(','));
      Take('}');
      return object;
    }
    case '[': {
      ++at;
      auto array = std::make_unique<Array>();
      if (Take(']')) return array;
      do array->values.push_back(Parse());
      while (Take(','));
      Take(']');
      return array;
    }
    case '"': return std::make_unique<String>(ParseString());
    default: {
      long n = 0;
      while (std::isdigit(static_cast<unsigned char>(text[at]))) n = 10 * n + text[at++] - '0';
      return std::make_unique<Number>(n);
    }
  }
}

int main(int, char** argv) {
  std::ifstream in(argv[2]);
  text.assign(std::istreambuf_iterator<char>(in), {});
  long sum = 0;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    at = 0;
    sum += Parse()->Sum();
  }
  std::printf("%ld\n", sum);
}
