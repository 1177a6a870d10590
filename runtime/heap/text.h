// Texts as the run time makes and reads them. A flat text is an object with an open array tail of
// its characters and a final zero; other classes of texts (concatenations) are the library's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "abi/object_header.h"

namespace tenure::runtime {

// A flat text of `length` zero characters, to be filled. May collect; raises OutOfMemory. A program
// without texts has no such type: then it ends with an error.
abi::Ref NewText8(size_t length);
abi::Ref NewText16(size_t length);

// The same with the characters, one byte each. `characters` may lie in the heap: the caller's frame
// keeps it in place.
abi::Ref NewText(std::string_view characters);

enum class TextKind { kOther, kFlat8, kFlat16 };
TextKind TextKindOf(abi::Ref text);

// The number of characters of a flat text, without the final zero, and the first of them.
size_t FlatTextLength(abi::Ref text);
uint8_t* Flat8Characters(abi::Ref text);
uint16_t* Flat16Characters(abi::Ref text);

// Length and characters of a narrow flat text, found as compiled code finds them: without a look at
// the descriptor.
struct Flat8 {
  explicit Flat8(abi::Ref text)
      : length(*static_cast<const uint64_t*>(text) - 1),
        characters(static_cast<char*>(text) + sizeof(uint64_t)) {}

  size_t length;
  char* characters;
};

// At most `size_max` characters of any text, one byte each, '?' for those beyond Latin-1. Texts
// that are not flat are read by the procedure that the library has registered; without it the
// result is "...".
std::string CopyOfText(abi::Ref text, size_t size_max = 10000);

// Copies at most `size` characters to `to`, returns how many. Registered by the library's Text.
using TextReader = int64_t (*)(abi::Ref text, char* to, int64_t size);
void SetTextReader(TextReader reader);

}  // namespace tenure::runtime
