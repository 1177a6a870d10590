// Walks over the objects of a page and over the references of an object, beyond what
// abi/object_header.h has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"

namespace tenure::gc {

// Whole length of an object, header included. Not for forwarded ones.
inline size_t ObjectBytes(abi::Ref object) {
  return abi::kHeaderBytes + abi::PayloadBytes(*abi::ObjectHeader::Of(object)->type(), object);
}

// Calls visit(header) for each object between `begin` and `end`, which hold objects and fillers end
// to end.
template <typename Visit>
void ForEachObjectBetween(char* begin, char* end, Visit&& visit) {
  for (char* at = begin; at < end;) {
    auto* header = reinterpret_cast<abi::ObjectHeader*>(at);
    if (header->is_filler()) {
      at += header->filler_bytes();
    } else {
      char* next = at + ObjectBytes(at + abi::kHeaderBytes);
      visit(header);
      at = next;
    }
  }
}

// The traced slots of some runs, whose offsets are from `base`. The collector's innermost loop, so
// the kind is asked once for a run.
template <typename Visit>
[[gnu::always_inline]] inline void ForEachTracedSlotOf(const abi::SlotRun* runs, uint32_t run_count,
                                                       char* base, Visit&& visit) {
  for (const abi::SlotRun* run = runs; run < runs + run_count; ++run) {
    if (run->kind != abi::SlotKind::kReference && run->kind != abi::SlotKind::kTransientReference) {
      continue;
    }
    char* slot = base + run->offset;
    for (uint32_t i = run->count; i > 0; --i, slot += run->stride) {
      visit(reinterpret_cast<abi::Ref*>(slot));
    }
  }
}

// As abi::ForEachReference.
template <typename Visit>
inline void ForEachTracedSlot(const abi::TypeDescriptor& type, abi::Ref object, Visit&& visit) {
  if ((type.flags & abi::kTypePure) != 0) return;
  char* payload = static_cast<char*>(object);
  ForEachTracedSlotOf(type.slot_runs, type.slot_run_count, payload, visit);
  if ((type.flags & abi::kTypeOpenArray) == 0 || type.element_run_count == 0) return;
  char* element = payload + abi::ElementsOffset(type);
  for (size_t i = abi::ElementCount(type, object); i > 0; --i, element += type.element_bytes) {
    ForEachTracedSlotOf(type.element_runs, type.element_run_count, element, visit);
  }
}

// Whether the collector traces the word at `address`, inside the object. Slots do not overlap.
inline bool IsTracedSlot(const abi::TypeDescriptor& type, abi::Ref object, const void* address) {
  if ((type.flags & abi::kTypePure) != 0) return false;
  const auto is_in = [](const abi::SlotRun* runs, uint32_t run_count, size_t offset) {
    for (const abi::SlotRun* run = runs; run < runs + run_count; ++run) {
      if (offset < run->offset) continue;
      const size_t behind = offset - run->offset;
      if (behind == 0 ? run->count > 0
                      : behind < size_t{run->count} * run->stride && behind % run->stride == 0) {
        return run->kind == abi::SlotKind::kReference ||
               run->kind == abi::SlotKind::kTransientReference;
      }
    }
    return false;
  };
  // The header is before all slots.
  if (address < object) return false;
  const size_t offset =
      static_cast<size_t>(static_cast<const char*>(address) - static_cast<char*>(object));
  if (is_in(type.slot_runs, type.slot_run_count, offset)) return true;
  if ((type.flags & abi::kTypeOpenArray) == 0 || type.element_run_count == 0) return false;
  const size_t elements = abi::ElementsOffset(type);
  if (offset < elements || type.element_bytes == 0) return false;
  const size_t behind = offset - elements;
  return behind / type.element_bytes < abi::ElementCount(type, object) &&
         is_in(type.element_runs, type.element_run_count, behind % type.element_bytes);
}

// Like abi::ForEachReference, for the slots whose address lies in [begin, end) only. The cost is
// proportional to the range, not to the object.
template <typename Visit>
void ForEachReferenceWithin(const abi::TypeDescriptor& type, abi::Ref object, uintptr_t begin,
                            uintptr_t end, Visit&& visit) {
  if ((type.flags & abi::kTypePure) != 0) return;
  auto run_over = [&](uintptr_t base, const abi::SlotRun* runs, uint32_t run_count) {
    for (uint32_t r = 0; r < run_count; ++r) {
      const abi::SlotRun& run = runs[r];
      if (run.kind != abi::SlotKind::kReference && run.kind != abi::SlotKind::kTransientReference) {
        continue;
      }
      const uintptr_t first = base + run.offset;
      if (first >= end) continue;
      uint32_t i = 0;
      if (first < begin && run.stride != 0) {
        i = static_cast<uint32_t>(
            std::min<uintptr_t>((begin - first + run.stride - 1) / run.stride, run.count));
      }
      for (; i < run.count; ++i) {
        const uintptr_t slot = first + uintptr_t{i} * run.stride;
        if (slot >= end) break;
        if (slot >= begin) visit(reinterpret_cast<abi::Ref*>(slot));
      }
    }
  };
  const uintptr_t payload = reinterpret_cast<uintptr_t>(object);
  run_over(payload, type.slot_runs, type.slot_run_count);
  if ((type.flags & abi::kTypeOpenArray) == 0 || type.element_run_count == 0) return;
  const size_t count = abi::ElementCount(type, object);
  const uintptr_t elements = payload + abi::ElementsOffset(type);
  if (elements >= end || type.element_bytes == 0) return;
  const size_t first = elements < begin ? (begin - elements) / type.element_bytes : 0;
  const size_t last =
      std::min(count, (end - elements + type.element_bytes - 1) / type.element_bytes);
  for (size_t i = first; i < last; ++i) {
    run_over(elements + i * type.element_bytes, type.element_runs, type.element_run_count);
  }
}

}  // namespace tenure::gc
