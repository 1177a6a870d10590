// The comments of an interface, for the search.
#pragma once

#include <string>
#include <vector>

#include "compiler/doc/interface_source.h"

namespace tenure::compiler {

// A comment with the name that it belongs to: the one that is declared next, or before it in its
// line; empty for the first comment of the interface, which is about the whole.
struct CommentText {
  std::string name;
  std::string text;  // words with single blanks between them
};

std::vector<CommentText> CommentsOf(const InterfaceSource& source);

// The text of a comment without its brackets.
std::string_view InsideComment(std::string_view comment);

// `text` with single blanks in the place of all others.
std::string OneLine(std::string_view text);

}  // namespace tenure::compiler
