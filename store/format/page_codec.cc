#include "store/format/page_codec.h"

#include <cstring>
#include <iterator>

#include "base/check.h"
#include "base/copy_bytes.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

using abi::kGranuleBytes;
using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::ObjectHeader;
using abi::SlotKind;
using abi::SlotRun;
using abi::TypeDescriptor;

uint64_t Load(const std::byte* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
void Store(std::byte* to, uint64_t word) { std::memcpy(to, &word, sizeof word); }

Status Damaged(PageId page, size_t offset, const char* what) {
  return Failure(StatusCode::kCorrupt,
                 "page " + std::to_string(page.number) + " is damaged: " + what + " at offset " +
                     std::to_string(offset),
                 static_cast<int64_t>(page.number));
}

// One stored slot to memory, in place.
Status DecodeSlot(PageId page, size_t offset, const TypedSlotRun& run,
                  ReferenceTranslator& translator, std::byte* at, bool* outward,
                  std::vector<FoundReference>* found) {
  const uint64_t stored = Load(at);
  if (stored == 0) return Status::Ok();
  const auto note = [&](const void* object) {
    if (found != nullptr) {
      found->push_back({object, run.required, static_cast<uint32_t>(offset)});
    }
  };
  switch (run.slots.kind) {
    case SlotKind::kReference: {
      Result<abi::Ref> object = translator.ToMemory(PersistentRef{stored}, outward);
      if (!object.ok()) {
        return object.status().code() == StatusCode::kCorrupt
                   ? Damaged(page, offset, "a reference outside the database")
                   : object.status();
      }
      Store(at, reinterpret_cast<uint64_t>(*object));
      if (*object != nullptr) note(*object);
      return Status::Ok();
    }
    case SlotKind::kProcedure:
      Store(at, reinterpret_cast<uint64_t>(
                    translator.ProcedureToMemory(page, offset, stored, run.shape)));
      return Status::Ok();
    case SlotKind::kTransientReference:
    case SlotKind::kUntraced: Store(at, 0); return Status::Ok();
  }
  return Damaged(page, offset, "a slot of unknown kind");
}

// Does the same for the usual slots: NIL, and references that an addition translates. False: the
// page has other slots, and nothing was done.
__attribute__((flatten)) inline bool DecodePlain(size_t offset, const TypedSlotRun& run,
                                                 const PlainReferences& plain, std::byte* at,
                                                 std::vector<FoundReference>* found) {
  const uint64_t stored = Load(at);
  if (stored == 0) return true;
  if (run.slots.kind != SlotKind::kReference || stored >= plain.stored ||
      !PersistentRef{stored}.well_formed_object()) {
    return false;
  }
  Store(at, reinterpret_cast<uint64_t>(plain.begin) + stored);
  if (found != nullptr) {
    found->push_back({plain.begin + stored, run.required, static_cast<uint32_t>(offset)});
  }
  return true;
}

// Why an object's type is not to be had, with the object's place when it is the page's fault.
Status NoType(PageId page, size_t offset, const Status& status) {
  if (status.code() != StatusCode::kCorrupt) return status;
  return Damaged(page, offset, status.text());
}

// The types of a page's objects, which are few.
class RecentTypes {
 public:
  explicit RecentTypes(ReferenceTranslator& translator) : translator_(translator) {}
  // Null: *status says why.
  const TypeDescriptor* At(uint32_t index, Status* status, const SlotTypes** slots) {
    Recent& recent = recent_[index % std::size(recent_)];
    if (recent.index == index) {
      *slots = recent.slots;
      return recent.type;
    }
    const Result<const TypeDescriptor*> type = translator_.TypeBeside(index);
    if (!type.ok()) {
      *status = type.status();
      return nullptr;
    }
    *slots = &translator_.SlotTypesOf(**type);
    recent = {index, *type, *slots};
    return *type;
  }

 private:
  struct Recent {
    uint32_t index = 0;  // no type has it
    const TypeDescriptor* type = nullptr;
    const SlotTypes* slots = nullptr;
  };
  ReferenceTranslator& translator_;
  Recent recent_[32];
};

// The payload size of an open array's object, computed from unchecked lengths; 0 if more than
// `limit`.
size_t CheckedPayloadBytes(const TypeDescriptor& type, const std::byte* payload, size_t available,
                           size_t limit) {
  size_t bytes = type.payload_bytes;
  if ((type.flags & abi::kTypeOpenArray) != 0) {
    if (abi::ElementsOffset(type) > available) return 0;
    unsigned __int128 elements = type.element_bytes == 0 ? 0 : 1;
    // Other lengths may be large where one is 0.
    for (uint32_t i = 0; i < type.open_dimensions; ++i) {
      if (Load(payload + type.payload_bytes + 8 * i) == 0) elements = 0;
    }
    for (uint32_t i = 0; i < type.open_dimensions; ++i) {
      elements *= Load(payload + type.payload_bytes + 8 * i);
      if (elements > limit) return 0;
    }
    const unsigned __int128 total = elements * type.element_bytes + abi::ElementsOffset(type);
    if (total > limit) return 0;
    bytes = static_cast<size_t>(total);
  }
  bytes = abi::PayloadRoom(bytes);
  return bytes > limit ? 0 : bytes;
}

Status DecodeLarge(PageId page, const PageRecord& record, ReferenceTranslator& translator,
                   std::byte* image, bool* outward, std::vector<FoundReference>* found) {
  Result<const TypeDescriptor*> type = translator.TypeOf(record.run.type);
  if (!type.ok()) return NoType(page, 0, type.status());
  if (record.run.index == 0) {
    if (Load(image) != uint64_t{record.run.type} << kStoredTypeShift)
      return Damaged(page, 0, "a large object's header");
    Store(image, ObjectHeader::ForType(*type));
    const size_t limit = size_t{record.run.pages} * kPageBytes - kHeaderBytes;
    const size_t bytes =
        CheckedPayloadBytes(**type, image + kHeaderBytes, kPageBytes - kHeaderBytes, limit);
    if (bytes == 0 || (bytes + kHeaderBytes + kPageBytes - 1) / kPageBytes != record.run.pages) {
      return Damaged(page, 0, "a large object's length");
    }
  }
  // Byte b of the page is byte index * kPageBytes + b - kHeaderBytes of the payload.
  const size_t page_begin = size_t{record.run.index} * kPageBytes;
  const PlainReferences plain = translator.Plain();
  Status status;
  const SlotTypes& slots = translator.SlotTypesOf(**type);
  ForEachSlotOfRuns(
      **type, std::span(slots.runs()), std::span(slots.element_runs()),
      page_begin < kHeaderBytes ? 0 : page_begin - kHeaderBytes,
      page_begin + kPageBytes - kHeaderBytes,
      [](const TypedSlotRun& run) -> const SlotRun& { return run.slots; },
      [&](size_t offset, const TypedSlotRun& run) {
        if (!status.ok()) return;
        const size_t at = offset + kHeaderBytes - page_begin;
        if (DecodePlain(at, run, plain, image + at, found)) return;
        status = DecodeSlot(page, at, run, translator, image + at, outward, found);
      });
  return status;
}

}  // namespace

Status DecodePage(PageId page, const PageRecord& record, ReferenceTranslator& translator,
                  std::byte* image, bool* outward, std::vector<FoundReference>* found) {
  std::memcpy(image, record.contents, kPageBytes);
  if (record.run.large()) return DecodeLarge(page, record, translator, image, outward, found);
  const PlainReferences plain = translator.Plain();
  RecentTypes types(translator);
  size_t at = 0;
  while (at < kPageBytes) {
    const uint64_t header = Load(image + at);
    ObjectHeader word{header};
    if (word.is_filler()) {
      const size_t bytes = word.filler_bytes();
      if ((header & 0xffffffffu) != ObjectHeader::kFillerTag || bytes < kHeaderBytes ||
          bytes % kGranuleBytes != 0 || bytes > kPageBytes - at) {
        return Damaged(page, at, "a free place of impossible length");
      }
      at += bytes;
      continue;
    }
    const uint64_t index = header >> kStoredTypeShift;
    if ((header & ((uint64_t{1} << kStoredTypeShift) - 1)) != 0 || index == 0 ||
        index > 0x0fffffff || kPageBytes - at < kHeaderBytes + abi::kMinPayloadBytes) {
      return Damaged(page, at, "no object header");
    }
    Status status;
    const SlotTypes* slots = nullptr;
    const TypeDescriptor* const type = types.At(static_cast<uint32_t>(index), &status, &slots);
    if (type == nullptr) return NoType(page, at, status);
    std::byte* payload = image + at + kHeaderBytes;
    const size_t room = kPageBytes - at - kHeaderBytes;
    const size_t bytes = CheckedPayloadBytes(*type, payload, room, room);
    if (bytes == 0) return Damaged(page, at, "an object that does not fit its page");
    Store(image + at, ObjectHeader::ForType(type));
    const auto over = [&](std::byte* base, const std::vector<TypedSlotRun>& runs) {
      for (const TypedSlotRun& run : runs) {
        std::byte* place = base + run.slots.offset;
        for (uint32_t i = 0; i < run.slots.count; ++i, place += run.slots.stride) {
          const auto offset = static_cast<size_t>(place - image);
          if (DecodePlain(offset, run, plain, place, found)) continue;
          status = DecodeSlot(page, offset, run, translator, place, outward, found);
          if (!status.ok()) return;
        }
      }
    };
    over(payload, slots->runs());
    if (!slots->element_runs().empty() && (type->flags & abi::kTypeOpenArray) != 0) {
      std::byte* element = payload + abi::ElementsOffset(*type);
      for (size_t i = abi::ElementCount(*type, payload); i > 0 && status.ok(); --i) {
        over(element, slots->element_runs());
        element += type->element_bytes;
      }
    }
    TN_RETURN_IF_ERROR(status);
    at += kHeaderBytes + bytes;
  }
  return Status::Ok();
}

void EncodeSlot(SlotKind kind, ReferenceTranslator& translator, const PlainReferences& plain,
                std::byte* at) {
  const uint64_t word = Load(at);
  if (word == 0) return;
  switch (kind) {
    case SlotKind::kReference:
      if (word - reinterpret_cast<uint64_t>(plain.begin) < plain.bytes) {
        Store(at, word - reinterpret_cast<uint64_t>(plain.begin));
        break;
      }
      Store(at, translator.ToStored(reinterpret_cast<abi::Ref>(word)).bits);
      break;
    case SlotKind::kProcedure:
      Store(at, translator.ProcedureToStored(reinterpret_cast<void*>(word)));
      break;
    case SlotKind::kTransientReference:
    case SlotKind::kUntraced: Store(at, 0); break;
  }
}

namespace {

// Writes the header of an object in the store.
void StoreHeader(std::byte* to, uint32_t type_index) {
  Store(to, uint64_t{type_index} << kStoredTypeShift);
}

}  // namespace

void CopyForEncoding(const TypeDescriptor& type, const void* payload, size_t bytes,
                     ReferenceTranslator& translator, std::byte* to) {
  StoreHeader(to, translator.IndexOf(type));
  std::memcpy(to + kHeaderBytes, payload, bytes - kHeaderBytes);
}

namespace {

void EncodeObject(const TypeDescriptor& type, const void* payload, size_t bytes,
                  ReferenceTranslator& translator, const PlainReferences& plain, std::byte* to) {
  CopyForEncoding(type, payload, bytes, translator, to);
  abi::ForEachSlot(type, to + kHeaderBytes, [&](void** slot, SlotKind kind) {
    EncodeSlot(kind, translator, plain, reinterpret_cast<std::byte*>(slot));
  });
}

// The words [begin, end) of the page, which are some of the object at `at`.
void EncodeWords(const TypeDescriptor& type, const std::byte* image, size_t at, size_t begin,
                 size_t end, ReferenceTranslator& translator, const PlainReferences& plain,
                 std::byte* to) {
  CopyMostlyWord(to + begin, image + begin, end - begin);
  const size_t payload = at + kHeaderBytes;
  if (begin == at) StoreHeader(to + at, translator.IndexOf(type));
  ForEachSlotBetween(type, begin == at ? 0 : begin - payload, end - payload,
                     [&](size_t offset, SlotKind kind) {
                       EncodeSlot(kind, translator, plain, to + payload + offset);
                     });
}

}  // namespace

void EncodeObject(const TypeDescriptor& type, const void* payload, size_t bytes,
                  ReferenceTranslator& translator, std::byte* to) {
  EncodeObject(type, payload, bytes, translator, translator.Plain(), to);
}

void EncodePage(const std::byte* image, std::span<const PagePart> parts,
                ReferenceTranslator& translator, std::byte* to) {
  const PlainReferences plain = translator.Plain();
  const size_t end = parts.empty() ? 0 : parts.back().end;
  PageParts wanted(parts);
  size_t at = 0;
  while (at < end) {
    const ObjectHeader header{Load(image + at)};
    if (header.is_filler()) {
      const size_t bytes = header.filler_bytes();
      if (wanted.Touch(at, at + bytes)) {
        EncodeFiller(to + at, bytes);
      }
      at += bytes;
      continue;
    }
    const TypeDescriptor& type = *header.type();
    const std::byte* payload = image + at + kHeaderBytes;
    const size_t bytes = kHeaderBytes + abi::PayloadBytes(type, payload);
    TN_CHECK(bytes <= kPageBytes - at);
    wanted.ForEachIn(at, at + bytes, [&](size_t begin, size_t end) {
      if (end - begin == bytes) {
        EncodeObject(type, payload, bytes, translator, plain, to + at);
      } else {
        EncodeWords(type, image, at, begin, end, translator, plain, to);
      }
    });
    at += bytes;
  }
}

void EncodeLargePage(const TypeDescriptor& type, const LargeRun& run, const std::byte* image,
                     std::span<const PagePart> parts, ReferenceTranslator& translator,
                     std::byte* to) {
  const PlainReferences plain = translator.Plain();
  const size_t page_begin = size_t{run.index} * kPageBytes;
  for (const PagePart& part : parts) {
    std::memcpy(to + part.begin, image + part.begin, part.end - part.begin);
    if (run.index == 0 && part.begin == 0) StoreHeader(to, run.type);
    const size_t begin = page_begin + part.begin, end = page_begin + part.end;
    ForEachSlotBetween(type, begin < kHeaderBytes ? 0 : begin - kHeaderBytes, end - kHeaderBytes,
                       [&](size_t offset, SlotKind kind) {
                         EncodeSlot(kind, translator, plain,
                                    to + (offset + kHeaderBytes - page_begin));
                       });
  }
}

}  // namespace tenure::store
