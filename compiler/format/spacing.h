// How many blanks stand between two items of a line.
#pragma once

#include <cstdint>

#include "compiler/format/source_items.h"
#include "compiler/format/structure.h"

namespace tenure::compiler {

// The blanks between an item and the one before it, where the author has not aligned it: 0 or 1.
// Two around comments at the end of a line, and between entries, if the author has two or more.
uint32_t BlanksBefore(const SourceItems& source, const Structure& structure, uint32_t index);

// Whether an operator at this item has one operand, so that none stands before it.
bool IsUnary(const SourceItems& source, uint32_t index);

}  // namespace tenure::compiler
