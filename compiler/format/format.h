// Lays out a source in the library's style: `tenure fmt`.
//
// The author's line ends stay where the style allows them. Owned by the formatter: indentation,
// blanks between tokens and at the end of lines, runs of empty lines, line ends in constructs of
// several lines, and where a line of more than 120 columns breaks. No token and no comment changes,
// but for the indentation of a comment's further lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

struct FormattedSource {
  std::string text;
  // Why the text is the source's own: errors were reported, or one of the reasons below.
  enum class Kept : uint8_t {
    kNo,
    kErrors,     // the source does not parse
    kLineMarks,  // LINE pragmas count its lines: another program made it
    kUnknown,    // a bug of the formatter: it would have changed a token
  } kept = Kept::kNo;
};

// Formatting the result again does not change it. Reports what does not parse to `diagnostics`.
FormattedSource FormatSource(const SourceFile& source, Diagnostics& diagnostics);

// The source in which only lines that touch the lines [first, last] of `before`, from 1, are those
// of `after`, which differs only in blanks and line ends. Lines between which a line end moves are
// taken together.
std::string TakeLines(std::string_view before, std::string_view after, uint32_t first,
                      uint32_t last);

}  // namespace tenure::compiler
