// The difference of two texts as `diff -u` prints it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::compiler {

// Headings with the name, and hunks with three lines around each change; empty if the texts are
// equal. `patch -p0` makes `after` of `before`. Texts that differ in more than some thousands of
// lines are one hunk.
std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after);

// Lines [a, a_end) of the old text became lines [b, b_end) of the new one, counted from 0.
struct LineChange {
  size_t a, a_end, b, b_end;
};

// The lines of a text with their line ends.
std::vector<std::string_view> LinesOf(std::string_view text);

// The changes from one text to the other, in their order.
std::vector<LineChange> FindLineChanges(const std::vector<std::string_view>& a,
                                        const std::vector<std::string_view>& b);

}  // namespace tenure::compiler
