// Where a line that is too long breaks.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/format/source_items.h"
#include "compiler/format/structure.h"

namespace tenure::compiler {

// Columns of a line without the comment at its end; the documents of the library have as many.
constexpr uint32_t kLineLimit = 120;

// The item in (first, end) of one line that begins the next line: an operand behind a comma, or an
// operator, that is in as few brackets as possible. 0: there is none. `columns` and `ends` are
// where each item begins and ends.
uint32_t FindBreak(const SourceItems& source, const Structure& structure,
                   const std::vector<uint32_t>& columns, const std::vector<uint32_t>& ends,
                   uint32_t first, uint32_t end);

}  // namespace tenure::compiler
