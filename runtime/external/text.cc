// The C side of the library's texts: flat texts made, read and filled.

#include "runtime/heap/text.h"

#include <cstring>

#include "runtime/heap/inline_allocation.h"
#include "runtime/heap/short_copy.h"

using namespace tenure::runtime;
using tenure::abi::Ref;

namespace {

__attribute__((noinline)) Ref JoinSlow(Flat8 first, Flat8 second) {
  const Ref text = NewText8(first.length + second.length);
  char* const characters = Flat8(text).characters;
  CopyShort(characters, first.characters, first.length);
  CopyShort(characters + first.length, second.characters, second.length);
  return text;
}

}  // namespace

extern "C" {

Ref tn_text8_new(int64_t length) { return NewText8(static_cast<size_t>(length)); }
Ref tn_text16_new(int64_t length) { return NewText16(static_cast<size_t>(length)); }

Ref tn_text8_from(const char* characters, int64_t count) {
  return NewText({characters, static_cast<size_t>(count)});
}

Ref tn_text16_from(const uint16_t* characters, int64_t count) {
  Ref text = NewText16(static_cast<size_t>(count));
  if (count > 0) {
    std::memcpy(Flat16Characters(text), characters, static_cast<size_t>(count) * sizeof(uint16_t));
  }
  return text;
}

Ref tn_text_join(Ref a, Ref b, int64_t most) {
  const Flat8 first(a), second(b);
  const size_t length = first.length + second.length;
  if (first.length == 0 || second.length == 0 || length > static_cast<size_t>(most)) return nullptr;
  const tenure::abi::TypeDescriptor& type = *tenure::abi::ObjectHeader::Of(a)->type();
  const auto fill = [&](Ref text, size_t bytes) {
    char* const payload = static_cast<char*>(text);
    // The zero behind the characters.
    *reinterpret_cast<uint64_t*>(payload + bytes - sizeof(uint64_t)) = 0;
    *reinterpret_cast<uint64_t*>(payload) = length + 1;
    char* const characters = payload + sizeof(uint64_t);
    CopyShort(characters, first.characters, first.length);
    CopyShort(characters + first.length, second.characters, second.length);
  };
  const Ref text = TakeAtOnce(type, sizeof(uint64_t) + length + 1, fill);
  return text != nullptr ? text : JoinSlow(first, second);
}

int64_t tn_text8_length(Ref text) { return static_cast<int64_t>(FlatTextLength(text)); }
int64_t tn_text16_length(Ref text) { return static_cast<int64_t>(FlatTextLength(text)); }
void* tn_text8_chars(Ref text) { return Flat8Characters(text); }
void* tn_text16_chars(Ref text) { return Flat16Characters(text); }
uint8_t tn_text8_get(Ref text, int64_t index) { return Flat8Characters(text)[index]; }
uint16_t tn_text16_get(Ref text, int64_t index) { return Flat16Characters(text)[index]; }
void tn_text8_put(Ref text, int64_t index, uint8_t c) { Flat8Characters(text)[index] = c; }
void tn_text16_put(Ref text, int64_t index, uint16_t c) { Flat16Characters(text)[index] = c; }

void tn_text8_read(Ref text, int64_t start, char* to, int64_t count) {
  if (count > 0) std::memmove(to, Flat8Characters(text) + start, static_cast<size_t>(count));
}

void tn_text8_write(Ref text, int64_t start, const char* from, int64_t count) {
  if (count > 0) std::memmove(Flat8Characters(text) + start, from, static_cast<size_t>(count));
}

void tn_text16_read(Ref text, int64_t start, uint16_t* to, int64_t count) {
  if (count > 0) std::memmove(to, Flat16Characters(text) + start, static_cast<size_t>(count) * 2);
}

void tn_text16_write(Ref text, int64_t start, const uint16_t* from, int64_t count) {
  if (count > 0) std::memmove(Flat16Characters(text) + start, from, static_cast<size_t>(count) * 2);
}

int64_t tn_text_flat_kind(Ref text) {
  switch (TextKindOf(text)) {
    case TextKind::kFlat8: return 8;
    case TextKind::kFlat16: return 16;
    case TextKind::kOther: return 0;
  }
  return 0;
}

uint8_t tn_text_is_flat8(Ref text) { return TextKindOf(text) == TextKind::kFlat8 ? 1 : 0; }

void tn_set_text_reader(TextReader reader) { SetTextReader(reader); }

}  // extern "C"
