#include "dbtool/browse/references.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "abi/heap_constants.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

// A part of an object's payload.
struct SlotPart {
  uint64_t begin = 0, end = 0;
};

// Calls visit(offset) for the slots of references in the part, until it answers false.
template <typename Visit>
bool ForEachSlotOfRuns(const std::vector<SlotRun>& runs, uint64_t base, SlotPart part,
                       Visit&& visit) {
  for (const SlotRun& run : runs) {
    if (run.kind != StoredSlot::kReference) continue;
    const uint64_t first = base + run.offset;
    uint64_t i = 0;
    if (first < part.begin && run.stride != 0)
      i = (part.begin - first + run.stride - 1) / run.stride;
    for (; i < run.count && first + i * run.stride < part.end; ++i) {
      if (first + i * run.stride >= part.begin && !visit(first + i * run.stride)) return false;
    }
  }
  return true;
}

template <typename Visit>
void ForEachReferenceSlot(const StoredType& type, uint64_t payload_bytes, SlotPart part,
                          Visit&& visit) {
  part.end = std::min(part.end, payload_bytes < 8 ? 0 : payload_bytes - 7);
  if (!ForEachSlotOfRuns(type.slots, 0, part, visit)) return;
  if (!type.open() || type.element_slots.empty()) return;
  const uint64_t elements = type.elements_at();
  uint64_t at = elements;
  if (part.begin > elements)
    at += (part.begin - elements) / type.element_bytes * type.element_bytes;
  for (; at < part.end && at + type.element_bytes <= payload_bytes; at += type.element_bytes) {
    if (!ForEachSlotOfRuns(type.element_slots, at, part, visit)) return;
  }
}

}  // namespace

Status ForEachReference(const ObjectPtr& object,
                        const std::function<bool(uint64_t, PersistentRef)>& visit, uint64_t begin,
                        uint64_t end) {
  // Many visits end soon.
  constexpr uint64_t kFirstBytes = abi::kPageBytes, kBytesAtOnce = 128 << 10;
  const StoredType& type = object->type();
  if (type.pure()) return Status::Ok();
  std::vector<std::byte> bytes;
  bool going = true;
  begin = begin / 8 * 8;
  end = end >= object->bytes() ? object->bytes() : (end + 7) / 8 * 8;
  uint64_t at_once = kFirstBytes;
  for (; going && begin < end; begin += bytes.size()) {
    bytes.resize(std::min(at_once, end - begin));
    at_once = std::min(2 * at_once, kBytesAtOnce);
    TN_RETURN_IF_ERROR(object->Copy(begin, bytes));
    const auto take = [&](uint64_t offset) {
      PersistentRef to;
      std::memcpy(&to.bits, bytes.data() + (offset - begin), sizeof to.bits);
      if (to.is_object()) going = visit(offset, to);
      return going;
    };
    const SlotPart part{begin, begin + bytes.size()};
    ForEachReferenceSlot(type, object->bytes(), part, take);
  }
  return Status::Ok();
}

Result<SlotsBetween> SlotsTo(const ObjectIndex* index, const ObjectPtr& from, PersistentRef to,
                             size_t most) {
  SlotsBetween slots;
  const ObjectIndex::Id id = index == nullptr ? ObjectIndex::kNone : index->Find(from->at());
  if (id != ObjectIndex::kNone && index->IsLarge(id)) {
    const std::span<const ObjectIndex::LargeReference> known =
        index->References(id, index->Find(to));
    slots.count = known.size();
    for (const ObjectIndex::LargeReference& reference : known) {
      if (slots.offsets.size() >= most) break;
      const uint64_t offset = uint64_t{reference.word} * 8;
      const Result<uint64_t> now = from->Bits(8 * offset, 64);
      if (now.status().code() == StatusCode::kConflict) return now.status();
      if (now.ok() && *now == to.bits) {
        slots.offsets.push_back(offset);
      } else {
        --slots.count;
      }
    }
    return slots;
  }
  TN_RETURN_IF_ERROR(ForEachReference(
      from,
      [&](uint64_t offset, PersistentRef reference) {
        if (reference != to) return true;
        if (slots.offsets.size() < most) slots.offsets.push_back(offset);
        ++slots.count;
        return true;
      },
      0, kBytesLookedThrough));
  return slots;
}

}  // namespace tenure::dbtool
