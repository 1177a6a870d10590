// Words and names of other languages, and how they are spelt. Pure functions on texts, for any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/foreign/tables/forms.h"

namespace tenure::compiler {

// Where a word has the meaning of its line in words.def.
enum class WordPlace : uint8_t {
  // At the beginning of a statement:
  kAlone,            // the statement ends behind it
  kBeforeName,       // a name is next
  kBeforeNumber,     // a number is next
  kBeforeTo,         // TO is next
  kBeforeParensDo,   // parentheses and DO are next
  kNotCalled,        // no parenthesis is next
  kBeforeOperand,    // a name, a number or NOT is next, in the same line
  kBeforeCondition,  // as kBeforeOperand, or a text
  // Elsewhere:
  kType,
  kGenericType,
  kSection,
  kField,
  kTypeName,
  kDeclaring,
};

using WordPlaces = uint32_t;  // A set.
constexpr WordPlaces In(WordPlace place) { return WordPlaces{1} << static_cast<unsigned>(place); }

struct ForeignWord {
  WordPlace place;
  std::string_view words;  // separated by spaces
  ForeignForm form;
  std::string_view ours, advice;
};

// The word, in capitals, at one of these places; null if it has no meaning there.
const ForeignWord* FindForeignWord(WordPlaces places, std::string_view upper);

// The type of Modula-3 that a word, in capitals, names in another language; empty for other words.
std::string_view TypeOfWord(std::string_view upper);

// Whether the word, in capitals, begins a declaration in another language: LET, STATIC.
bool IsDeclaringWord(std::string_view upper);

// A name of another language: a line of names.def, which says what the members mean.
struct ForeignName {
  std::string_view word, uses, replacement, advice;
};

// The name in this use, whether its letters are small or capital; null if there is none.
const ForeignName* FindForeignName(std::string_view name, char use);

// The text in capital letters, or in small ones (ASCII; other bytes stay).
std::string Upper(std::string_view text);
std::string Lower(std::string_view text);

// The number one less than the literal, or the text with "- 1".
std::string OneLess(std::string_view text);

}  // namespace tenure::compiler
