// Interned identifiers. Two Names from one Interner are equal exactly when they are spelled alike,
// so comparing and hashing them is comparing and hashing one pointer.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tenure::compiler {

// An interned spelling, or "no name" when default constructed. A cheap value; valid as long as its
// Interner.
class Name {
 public:
  constexpr Name() = default;

  // False for "no name", for example the keyword of a positional actual.
  explicit operator bool() const { return text_ != nullptr; }
  // The spelling; empty for "no name".
  std::string_view view() const { return text_ == nullptr ? std::string_view() : *text_; }
  std::string str() const { return std::string(view()); }

  friend bool operator==(Name a, Name b) { return a.text_ == b.text_; }
  friend bool operator!=(Name a, Name b) { return a.text_ != b.text_; }
  friend bool operator==(Name a, std::string_view b) { return a.text_ != nullptr && *a.text_ == b; }

 private:
  friend class Interner;
  friend struct std::hash<Name>;
  explicit Name(const std::string* text) : text_(text) {}

  const std::string* text_ = nullptr;
};

// The table of all spellings of one compilation. Keeps every spelling. One thread.
class Interner {
 public:
  Interner() = default;
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  // The unique Name with this spelling.
  Name Intern(std::string_view text) { return Name(&*spellings_.emplace(text).first); }

 private:
  std::unordered_set<std::string> spellings_;  // Node based: the strings never move.
};

}  // namespace tenure::compiler

template <>
struct std::hash<tenure::compiler::Name> {
  size_t operator()(tenure::compiler::Name name) const noexcept {
    return std::hash<const void*>()(name.text_);
  }
};
