#include "runtime/heap/text.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/check.h"
#include "runtime/heap/allocation.h"
#include "runtime/heap/inline_allocation.h"
#include "runtime/heap/short_copy.h"
#include "runtime/reports/report.h"
#include "runtime/start/runtime.h"

namespace tenure::runtime {
namespace {

std::atomic<TextReader> text_reader{nullptr};

constexpr size_t kShortText = 1024;

inline abi::Ref NewFlat(const abi::TypeDescriptor* type, size_t length) {
  if (type == nullptr) ReportAndEndAtOnce("this program was linked without the type of texts");
  const int64_t with_zero = static_cast<int64_t>(length) + 1;
  return AllocateArray(*type, &with_zero);
}

char* Tail(abi::Ref text) {
  const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(text)->type();
  return static_cast<char*>(text) + abi::ElementsOffset(type);
}

__attribute__((noinline)) abi::Ref NewTextSlow(std::string_view characters) {
  const abi::Ref text = NewFlat(Runtime::Get().program().text8_type, characters.size());
  if (!characters.empty()) std::memcpy(Tail(text), characters.data(), characters.size());
  return text;
}

}  // namespace

abi::Ref NewText8(size_t length) { return NewFlat(Runtime::Get().program().text8_type, length); }

abi::Ref NewText16(size_t length) { return NewFlat(Runtime::Get().program().text16_type, length); }

abi::Ref NewText(std::string_view characters) {
  const abi::TypeDescriptor* type = Runtime::Get().program().text8_type;
  if (type == nullptr || characters.size() > kShortText) return NewTextSlow(characters);
  // Most texts are short, and making one takes most of the time of many text operations.
  const uint64_t length = characters.size() + 1;
  const auto fill = [&](abi::Ref text, size_t bytes) {
    char* const payload = static_cast<char*>(text);
    *reinterpret_cast<uint64_t*>(payload + bytes - sizeof(uint64_t)) = 0;
    *reinterpret_cast<uint64_t*>(payload) = length;
    CopyShort(payload + sizeof(length), characters.data(), characters.size());
  };
  const abi::Ref text = TakeAtOnce(*type, sizeof(length) + length, fill);
  return text != nullptr ? text : NewTextSlow(characters);
}

TextKind TextKindOf(abi::Ref text) {
  const abi::TypeDescriptor* type = abi::ObjectHeader::Of(text)->type();
  if (type == Runtime::Get().program().text8_type) return TextKind::kFlat8;
  if (type == Runtime::Get().program().text16_type) return TextKind::kFlat16;
  return TextKind::kOther;
}

size_t FlatTextLength(abi::Ref text) {
  const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(text)->type();
  return *abi::OpenLengths(type, text) - 1;
}

uint8_t* Flat8Characters(abi::Ref text) { return reinterpret_cast<uint8_t*>(Tail(text)); }

uint16_t* Flat16Characters(abi::Ref text) { return reinterpret_cast<uint16_t*>(Tail(text)); }

std::string CopyOfText(abi::Ref text, size_t size_max) {
  switch (TextKindOf(text)) {
    case TextKind::kFlat8: {
      const size_t length = std::min(FlatTextLength(text), size_max);
      return std::string(reinterpret_cast<const char*>(Flat8Characters(text)), length);
    }
    case TextKind::kFlat16: {
      const size_t length = std::min(FlatTextLength(text), size_max);
      std::string copy(length, '?');
      for (size_t i = 0; i < length; ++i) {
        const uint16_t c = Flat16Characters(text)[i];
        if (c < 256) copy[i] = static_cast<char>(c);
      }
      return copy;
    }
    case TextKind::kOther: break;
  }
  const TextReader reader = text_reader.load();
  if (reader == nullptr) return "...";
  std::string copy(size_max, '\0');
  const int64_t length = reader(text, copy.data(), static_cast<int64_t>(size_max));
  copy.resize(std::clamp<int64_t>(length, 0, static_cast<int64_t>(size_max)));
  return copy;
}

void SetTextReader(TextReader reader) { text_reader = reader; }

}  // namespace tenure::runtime
