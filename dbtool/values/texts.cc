#include "dbtool/values/texts.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

Status Damaged(const LoadedObject& object, const char* what) {
  return store::Failure(StatusCode::kCorrupt, "the text at " + Show(object.at()) + " " + what,
                        static_cast<int64_t>(object.at().page().number));
}

// A field of a text's object; 0 when there is none.
uint64_t FieldBits(const LoadedObject& object, const char* name) {
  const StoredField* const field = FieldNamed(object.type(), name);
  if (field == nullptr || field->bit_size > 64) return 0;
  const Result<uint64_t> bits = object.Bits(field->bit_offset, field->bit_size);
  return bits.ok() ? *bits : 0;
}

// The elements from `from` on as codes of 1 or 2 bytes.
Status TakeCodes(const LoadedObject& object, uint64_t from, uint64_t count, StoredText* text) {
  const uint64_t bytes = object.type().element_bytes;
  std::vector<std::byte> raw(count * bytes);
  TN_RETURN_IF_ERROR(object.Copy(object.type().elements_at() + from * bytes, raw));
  for (uint64_t i = 0; i < count; ++i) {
    auto code = static_cast<char16_t>(raw[i * bytes]);
    if (bytes == 2) code |= static_cast<char16_t>(static_cast<unsigned>(raw[i * bytes + 1]) << 8);
    text->characters += code;
  }
  return Status::Ok();
}

class TextReader {
 public:
  // Adds at most `most` characters, from character `from` of the object's on. False: no text.
  Result<bool> Take(const ObjectPtr& object, uint64_t from, uint64_t most, int depth) {
    const StoredType& type = object->type();
    if (type.brand == "TextFlat.T8" || type.brand == "TextFlat.T16") {
      TN_ASSIGN_OR_RETURN(const uint64_t length, LengthWithZero(object, *object));
      return TakeCharacters(*object, 0, length, from, most);
    }
    if (type.brand == "TextBuffer.T") {
      constexpr uint64_t kCount = 8;  // bytes before the characters (stdlib/text/TextBuffer.m3)
      TN_ASSIGN_OR_RETURN(const ObjectPtr array, PartOf(*object, "room"));
      TN_ASSIGN_OR_RETURN(const uint64_t there, array->Length(0));
      const uint64_t length = FieldBits(*object, "length");
      if (array->type().element_bytes != 1 || there < kCount || length > there - kCount) {
        return Damaged(*object, "has an impossible length");
      }
      return TakeCharacters(*array, kCount, length, from, most);
    }
    if (type.brand == "Text8.T" || type.brand == "Text16.T") {
      TN_ASSIGN_OR_RETURN(const ObjectPtr array, PartOf(*object, "contents"));
      TN_ASSIGN_OR_RETURN(const uint64_t length, LengthWithZero(array, *object));
      return TakeCharacters(*array, 0, length, from, most);
    }
    if (type.brand != "TextCat.T" && type.brand != "TextSub.T") return false;
    // A balanced tree of all characters that there can be is less deep; parts may be damaged.
    if (depth > 200 || ++nodes_ > 10'000'000) return Damaged(*object, "has parts in a circle");
    if (type.brand == "TextSub.T") {
      const uint64_t length = FieldBits(*object, "length");
      if (from >= length) return true;
      return TakePart(*object, "base", FieldBits(*object, "start") + from,
                      std::min(most, length - from), depth);
    }
    const uint64_t first = FieldBits(*object, "aLength");
    if (from < first) {
      const uint64_t part = std::min(most, first - from);
      TN_RETURN_IF_ERROR(TakePart(*object, "a", from, part, depth).status());
      most -= part;
    }
    return TakePart(*object, "b", from > first ? from - first : 0, most, depth);
  }

  // The length of an array of characters that ends with a zero which is not part of the text.
  static Result<uint64_t> LengthWithZero(const ObjectPtr& array, const LoadedObject& text) {
    const StoredType& type = array->type();
    if (type.open_dimensions != 1 || (type.element_bytes != 1 && type.element_bytes != 2)) {
      return Damaged(text, "lacks its characters");
    }
    TN_ASSIGN_OR_RETURN(const uint64_t length, array->Length(0));
    if (length == 0 || length > array->bytes()) {
      return Damaged(text, "has an impossible length");
    }
    return length - 1;
  }

  Result<ObjectPtr> PartOf(const LoadedObject& object, const char* field) {
    const PersistentRef part{FieldBits(object, field)};
    if (part.nil()) return Damaged(object, "lacks a part");
    return object.source().Load(part);
  }

  StoredText text_;

 private:
  Result<bool> TakePart(const LoadedObject& object, const char* field, uint64_t from, uint64_t most,
                        int depth) {
    if (most == 0) return true;
    TN_ASSIGN_OR_RETURN(const ObjectPtr part, PartOf(object, field));
    TN_ASSIGN_OR_RETURN(const bool is_text, Take(part, from, most, depth + 1));
    if (!is_text) return Damaged(object, "has a part that is not a text");
    return true;
  }

  // Takes some of the `length` characters that begin at element `first`.
  Result<bool> TakeCharacters(const LoadedObject& array, uint64_t first, uint64_t length,
                              uint64_t from, uint64_t most) {
    if (array.type().element_bytes == 2) text_.wide = true;
    if (from >= length) return true;
    TN_RETURN_IF_ERROR(TakeCodes(array, first + from, std::min(most, length - from), &text_));
    return true;
  }

  uint64_t nodes_ = 0;
};

void PutUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | code >> 6);
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | code >> 12);
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | code >> 18);
    *out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::string BytesOf(const std::u16string& characters) {
  std::string bytes;
  bytes.reserve(characters.size());
  for (const char16_t code : characters) bytes += static_cast<char>(code);
  return bytes;
}

}  // namespace

std::optional<uint32_t> TakeUtf8(std::string_view text, size_t* at) {
  return tenure::TakeUtf8(text, at);
}

Result<std::optional<StoredText>> ReadText(const ObjectPtr& object, uint64_t most) {
  TextReader reader;
  TN_ASSIGN_OR_RETURN(const bool is_text, reader.Take(object, 0, most, 0));
  if (!is_text) return std::optional<StoredText>();
  StoredText text = std::move(reader.text_);
  const std::string& brand = object->type().brand;
  if (object->type().open_dimensions == 1) {
    TN_ASSIGN_OR_RETURN(text.length, TextReader::LengthWithZero(object, *object));
  } else if (brand == "Text8.T" || brand == "Text16.T") {
    TN_ASSIGN_OR_RETURN(const ObjectPtr array, reader.PartOf(*object, "contents"));
    TN_ASSIGN_OR_RETURN(text.length, TextReader::LengthWithZero(array, *object));
  } else {
    text.length = FieldBits(*object, "length");
  }
  return std::optional<StoredText>(std::move(text));
}

bool IsUtf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    if (!TakeUtf8(bytes, &at)) return false;
  }
  return true;
}

bool IsUtf8InNarrow(const StoredText& text) {
  if (text.wide) return false;
  bool beyond = false;
  for (const char16_t code : text.characters) beyond = beyond || code > 127;
  if (!beyond) return false;
  const std::string bytes = BytesOf(text.characters);
  for (size_t at = 0; at < bytes.size();) {
    if (TakeUtf8(bytes, &at)) continue;
    // If the text was cut off in the middle of a character, the bytes before that are UTF-8.
    return text.length > text.characters.size() && bytes.size() - at < 4;
  }
  return true;
}

std::string Utf8OfCodes(const std::u16string& codes) {
  std::string out;
  out.reserve(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    uint32_t code = codes[i];
    if (code >= 0xD800 && code < 0xDC00 && i + 1 < codes.size() && codes[i + 1] >= 0xDC00 &&
        codes[i + 1] < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (codes[++i] - 0xDC00u);
    } else if (code >= 0xD800 && code < 0xE000) {
      code = 0xFFFD;
    }
    PutUtf8(code, &out);
  }
  return out;
}

std::string Utf8Of(const StoredText& text) {
  if (!IsUtf8InNarrow(text)) return Utf8OfCodes(text.characters);
  std::string bytes = BytesOf(text.characters);
  // A character that was cut off.
  for (size_t at = 0; at < bytes.size();) {
    const size_t before = at;
    if (!TakeUtf8(bytes, &at)) bytes.resize(before);
  }
  return bytes;
}

std::optional<std::u16string> CodesOfUtf8(const std::string& text) {
  std::u16string codes;
  codes.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const std::optional<uint32_t> code = TakeUtf8(text, &at);
    if (!code) return std::nullopt;
    if (*code < 0x10000) {
      codes += static_cast<char16_t>(*code);
    } else {
      codes += static_cast<char16_t>(0xD800 + ((*code - 0x10000) >> 10));
      codes += static_cast<char16_t>(0xDC00 + ((*code - 0x10000) & 0x3FF));
    }
  }
  return codes;
}

uint64_t HashOfText(const std::u16string& characters) {
  uint64_t hash = 0xCBF29CE484222325;
  const auto add = [&](unsigned byte) { hash = (hash ^ byte) * 0x100000001B3; };
  for (const char16_t code : characters) {
    add(code & 255);
    if (code > 255) add(code >> 8);
  }
  return hash;
}

}  // namespace tenure::dbtool
