// The library's TEXT objects (flat ones, concatenations, parts, buffers), read as the characters
// that they stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dbtool/stored/object_source.h"

namespace tenure::dbtool {

// The codes of a text's characters. In a narrow text none is above 255.
struct StoredText {
  std::u16string characters;
  bool wide = false;    // has been stored as characters of 16 bits, at least in part
  uint64_t length = 0;  // of the whole text, where `characters` is its beginning
};

// Nothing: the object is not a text. At most `most` characters are read. kCorrupt: damaged, or
// parts that lead to each other.
Result<std::optional<StoredText>> ReadText(const ObjectPtr& object, uint64_t most);

// As UTF-8. Programs keep UTF-8 in narrow texts: a narrow text whose bytes are UTF-8 is taken as
// such, any other one as Latin-1. Halves of surrogate pairs that stand alone become U+FFFD.
std::string Utf8Of(const StoredText& text);
// Whether a narrow text has characters above 127 and is UTF-8.
bool IsUtf8InNarrow(const StoredText& text);
bool IsUtf8(std::string_view bytes);
// As UTF-8, one character of the text for one code point; Latin-1 is not looked at.
std::string Utf8OfCodes(const std::u16string& codes);
// The code point at *at, which goes behind it; nothing: not UTF-8 there.
std::optional<uint32_t> TakeUtf8(std::string_view text, size_t* at);
// Nothing: not UTF-8. Characters above U+FFFF become surrogate pairs.
std::optional<std::u16string> CodesOfUtf8(const std::string& text);

// The result of the library's Text.Hash.
uint64_t HashOfText(const std::u16string& characters);

}  // namespace tenure::dbtool
