// Files of text that are read and written as a whole.
#pragma once

#include <string>

#include "compiler/source/problem.h"

namespace tenure::compiler {

// A written file appears as a whole or not at all, with the mode and, where the user may give files
// away, the owner of the file before; a symbolic link stays one, and the file that it leads to is
// written. A file that would not change keeps its time.
Problem ReadTextFile(const std::string& path, std::string* text);
Problem WriteTextFile(const std::string& path, const std::string& text);

}  // namespace tenure::compiler
