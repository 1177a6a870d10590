// How other languages spell what Modula-3 has: small functions on the text of one token, which the
// parser's files about forms of other languages share. Pure functions, for any thread.
#pragma once

#include <string>
#include <string_view>

namespace tenure::compiler {

// The text in capital letters (ASCII; other bytes stay).
std::string Upper(std::string_view text);

// The type of Modula-3 that a word, in capitals, names in another language; empty for other words.
std::string_view TypeOfWord(std::string_view upper);

// Whether the word, in capitals, begins a declaration in another language: LET, STATIC.
bool IsDeclaringWord(std::string_view upper);

// The number one less than the literal, or the text with "- 1".
std::string OneLess(std::string_view text);

}  // namespace tenure::compiler
