// Bytes that a program wrote, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace tenure::compiler {

// UTF-8 without control characters except tabs and new lines: valid UTF-8 stays, each other byte
// from 128 on is a character of Latin-1 if no byte of the text begins valid UTF-8, and each control
// character becomes "\xNN". Other bytes of binary data become "\xNN", too.
std::string CleanText(std::string_view bytes);

// The same with the characters that XML reserves written as entities; fit for attributes, too.
std::string CleanXml(std::string_view bytes);

}  // namespace tenure::compiler
