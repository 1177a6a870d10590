#include "store/format/nested_arrays.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

namespace tenure::store {

namespace {

// Types nested deeper are not understood, to bound the recursion.
constexpr int kDeepest = 64;

// A type as far as it matters where references are.
struct Shape {
  std::string_view leaf;     // the type's text, if it may be a reference
  size_t number = 0;         // of the leaf, in the order of the text
  uint64_t times = 1;        // how often the parts stand one behind the other
  std::vector<Shape> parts;  // of a record; one, of an array
};

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  bool All(Shape* shape) { return Type(shape, 0) && rest_.empty(); }
  const std::vector<std::string_view>& leaves() const { return leaves_; }

 private:
  bool Take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool Type(Shape* shape, int depth) {
    if (depth > kDeepest) return false;
    if (Take("BITS ")) {
      const size_t at = rest_.find(" FOR ");
      if (at == std::string_view::npos) return false;
      rest_.remove_prefix(at + 5);
      return Type(shape, depth + 1);
    }
    if (Take("ARRAY ")) return Array(shape, depth);
    if (Take("RECORD ")) return Record(shape, depth);
    return Leaf(shape);
  }

  bool Array(Shape* shape, int depth) {
    if (!Index(&shape->times)) return false;
    shape->parts.emplace_back();
    if (Take(", ")) return depth < kDeepest && Array(&shape->parts.back(), depth + 1);
    return Take(" OF ") && Type(&shape->parts.back(), depth + 1);
  }

  bool Index(uint64_t* count) {
    if (Take("BOOLEAN")) return *count = 2, true;
    if (Take("CHAR")) return *count = 256, true;
    if (Take("{")) {
      const size_t end = rest_.find('}');
      if (end == std::string_view::npos) return false;
      const std::string_view names = rest_.substr(0, end);
      *count = names.empty() ? 0 : 1 + std::count(names.begin(), names.end(), ',');
      rest_.remove_prefix(end + 1);
      return names.find("...") == std::string_view::npos;
    }
    int64_t first = 0, last = 0;
    if (!Take("[") || !Number(&first) || !Take("..")) return false;
    if (!Number(&last) || !Take("]") || last < first) return false;
    *count = static_cast<uint64_t>(last) - static_cast<uint64_t>(first) + 1;
    return true;
  }

  bool Number(int64_t* number) {
    const char* const begin = rest_.data();
    const auto [end, error] = std::from_chars(begin, begin + rest_.size(), *number);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<size_t>(end - begin));
    return true;
  }

  bool Record(Shape* shape, int depth) {
    while (!Take("END")) {
      const size_t colon = rest_.find(": ");
      if (colon == std::string_view::npos) return false;
      rest_.remove_prefix(colon + 2);
      shape->parts.emplace_back();
      if (!Type(&shape->parts.back(), depth + 1)) return false;
      if (!Take("; ") && !rest_.starts_with(" END")) return false;
      Take(" ");
    }
    return true;
  }

  // The text up to the end of a field. References to records and procedures contain texts of their
  // own.
  bool Leaf(Shape* shape) {
    size_t at = 0;
    int open = 0, records = 0;
    const auto word = [&](std::string_view text) {
      return rest_.substr(at).starts_with(text) && (at == 0 || rest_[at - 1] == ' ');
    };
    for (; at < rest_.size(); ++at) {
      const char c = rest_[at];
      if (c == '(' || c == '{' || c == '[') ++open;
      if (c == ')' || c == '}' || c == ']') --open;
      if (word("RECORD ") || word("OBJECT ")) ++records;
      if (open > 0) continue;
      if (records > 0 && word("END")) {
        --records;
        at += 2;
        continue;
      }
      if (records == 0 && (c == ';' || rest_.substr(at).starts_with(" END"))) break;
    }
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at);
    if (text.empty() || text.find("...") != std::string_view::npos || open != 0) return false;
    if (MayBeReference(text)) {
      shape->leaf = text;
      shape->number = leaves_.size();
      leaves_.push_back(text);
    }
    return true;
  }

  static bool MayBeReference(std::string_view text) {
    constexpr std::string_view kNone[] = {"INTEGER",  "CARDINAL", "LONGINT",  "LONGCARD",
                                          "BOOLEAN",  "CHAR",     "WIDECHAR", "REAL",
                                          "LONGREAL", "EXTENDED", "ADDRESS"};
    if (std::find(std::begin(kNone), std::end(kNone), text) != std::end(kNone)) return false;
    for (const std::string_view begin : {"[", "{", "SET OF ", "UNTRACED ", "PROCEDURE", "<*"}) {
      if (text.starts_with(begin)) return false;
    }
    return true;
  }

  std::string_view rest_;
  std::vector<std::string_view> leaves_;
};

// Appends the referents of the shape's slots; false when there are more than `most`.
bool Lay(const Shape& shape, const std::vector<size_t>& referent, size_t most,
         std::vector<size_t>* of) {
  if (!shape.leaf.empty()) {
    if (referent[shape.number] != SIZE_MAX) of->push_back(referent[shape.number]);
    return of->size() <= most;
  }
  for (uint64_t i = 0; i < shape.times; ++i) {
    const size_t before = of->size();
    for (const Shape& part : shape.parts) {
      if (!Lay(part, referent, most, of)) return false;
    }
    if (of->size() == before) break;  // nothing in it refers to anything
  }
  return true;
}

}  // namespace

std::optional<std::vector<size_t>> ReferentsInArrays(std::string_view type, size_t slots,
                                                     std::span<const std::string_view> names) {
  Shape shape;
  Parser parser(type);
  if (!parser.All(&shape)) return std::nullopt;
  const std::vector<std::string_view>& leaves = parser.leaves();
  std::vector<size_t> referent(leaves.size(), SIZE_MAX);
  size_t next = 0;
  for (size_t i = 0; i < leaves.size(); ++i) {
    // With more leaves than references, some leaves name types that are not references.
    if (leaves.size() != names.size() && (next == names.size() || leaves[i] != names[next])) {
      continue;
    }
    referent[i] = next++;
  }
  if (next != names.size()) return std::nullopt;
  std::vector<size_t> of;
  if (!Lay(shape, referent, slots, &of) || of.size() != slots) return std::nullopt;
  return of;
}

}  // namespace tenure::store
