// Pieces of the source as messages of the running program quote them.
#pragma once

#include <string>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

// The text of the span on one line: without comments, with one blank where the source has any
// white space. A long text is cut, and ends in "...".
std::string SourceText(SourceSpan span);

}  // namespace tenure::compiler
