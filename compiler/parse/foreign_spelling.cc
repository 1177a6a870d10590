#include "compiler/parse/foreign_spelling.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tenure::compiler {

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::string_view TypeOfWord(std::string_view upper) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"INT", "INTEGER"},       {"INTEGER", "INTEGER"},   {"LONG", "INTEGER"},
      {"SHORT", "INTEGER"},     {"CHAR", "CHAR"},         {"STRING", "TEXT"},
      {"TEXT", "TEXT"},         {"BOOL", "BOOLEAN"},      {"FLOAT", "REAL"},
      {"DOUBLE", "LONGREAL"},   {"REAL", "REAL"},         {"BOOLEAN", "BOOLEAN"},
      {"CARDINAL", "CARDINAL"}, {"UNSIGNED", "CARDINAL"}, {"LONGREAL", "LONGREAL"},
  };
  for (const auto& [word, type] : kTypes) {
    if (word == upper) return type;
  }
  return "";
}

bool IsDeclaringWord(std::string_view upper) {
  return upper == "LET" || upper == "AUTO" || upper == "FINAL" || upper == "MUT" ||
         upper == "VAL" || upper == "STATIC" || upper == "PUBLIC" || upper == "PRIVATE";
}

std::string OneLess(std::string_view text) {
  const bool is_number =
      !text.empty() && text.size() < 18 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (is_number) return std::to_string(std::stoll(std::string(text)) - 1);
  return std::string(text) + " - 1";
}

}  // namespace tenure::compiler
