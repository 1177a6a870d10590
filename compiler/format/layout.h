// One pass of the formatter over a source.
#pragma once

#include <string>

#include "compiler/format/source_items.h"
#include "compiler/format/structure.h"

namespace tenure::compiler {

// The source laid out anew. What the pass moves can change what is aligned with what, so that a
// second pass may change more.
std::string LayOut(const SourceItems& source, const Structure& structure);

}  // namespace tenure::compiler
