// The distance between two words, for messages that suggest what was meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenure {

// The least number of insertions, deletions, replacements and swaps of neighbours that make `b` of
// `a` (the optimal string alignment distance). Takes time and memory in proportion to the product
// of the lengths: for names, not for texts.
size_t EditDistance(std::string_view a, std::string_view b);

}  // namespace tenure
