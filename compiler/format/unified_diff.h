// The difference of two texts as `diff -u` prints it.
#pragma once

#include <string>
#include <string_view>

namespace tenure::compiler {

// Headings with the name, and hunks with three lines around each change; empty if the texts are
// equal. `patch -p0` makes `after` of `before`. Texts that differ in more than some thousands of
// lines are one hunk.
std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace tenure::compiler
