#include "compiler/foreign/tables/words.h"

#include <algorithm>

namespace tenure::compiler {
namespace {

constexpr ForeignWord kForeignWords[] = {
#define TN_FOREIGN_WORD(place, words, form, ours, advice) \
  {WordPlace::place, words, ForeignForm::form, ours, advice},
#include "compiler/foreign/tables/words.def"
};

constexpr ForeignName kForeignNames[] = {
#define TN_FOREIGN_NAME(word, uses, replacement, advice) {word, uses, replacement, advice},
#include "compiler/foreign/tables/names.def"
};

bool IsOneOf(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

const ForeignWord* FindForeignWord(WordPlaces places, std::string_view upper) {
  for (const ForeignWord& word : kForeignWords) {
    if ((In(word.place) & places) != 0 && IsOneOf(upper, word.words)) return &word;
  }
  return nullptr;
}

std::string_view TypeOfWord(std::string_view upper) {
  const ForeignWord* word = FindForeignWord(In(WordPlace::kTypeName), upper);
  return word == nullptr ? std::string_view() : word->ours;
}

bool IsDeclaringWord(std::string_view upper) {
  return FindForeignWord(In(WordPlace::kDeclaring), upper) != nullptr;
}

const ForeignName* FindForeignName(std::string_view name, char use) {
  const std::string lower = Lower(name);
  for (const ForeignName& foreign : kForeignNames) {
    if (foreign.word == lower && foreign.uses.find(use) != std::string_view::npos) return &foreign;
  }
  return nullptr;
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string OneLess(std::string_view text) {
  const bool is_number = !text.empty() && text.size() < 18 &&
                         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) return std::to_string(std::stoll(std::string(text)) - 1);
  return std::string(text) + " - 1";
}

}  // namespace tenure::compiler
