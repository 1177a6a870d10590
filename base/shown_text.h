// Texts of others (stored ones, arguments, names of files, what other machines say) on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tenure {

// Whether a character acts on a terminal or turns what follows, instead of being seen: controls
// (C0, DEL, C1), separators of lines and paragraphs, marks of direction, U+FEFF.
bool IsControl(uint32_t code);

// The text with instead(code) in the place of each character that IsControl. A byte that is not
// UTF-8 counts as a character of Latin-1.
std::string ReplaceControls(std::string_view text, std::string (*instead)(uint32_t code));

// The text with each character that IsControl, but for line ends and tabs, as Modula-3 escapes it:
// \033, \x202e. A byte that is not UTF-8 stays, unless it is a control of Latin-1.
std::string ShownText(std::string_view text);

}  // namespace tenure
