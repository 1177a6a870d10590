#include "stabilize/commit/prefetch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::SlotKind;
using abi::TypeDescriptor;

namespace {

// Also for NIL: the sum is taken as a number, since no object lies before a null pointer.
void PrefetchHeader(Ref object) {
  __builtin_prefetch(
      reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(object) - kHeaderBytes));
}

void PrefetchEntry(const SessionState& session, Ref target) {
  if (!session.heap.Contains(target)) return;
  const ObjectHeader* const header = ObjectHeader::Of(target);
  if (header->displaced()) session.displaced.Prefetch(header->word);
}

}  // namespace

// Objects, their targets and the entries about these lie anywhere in memory: each is prefetched
// while others are worked on.
void PrefetchNext(const SessionState& session, size_t next) {
  const DisplacedObjects& displaced = session.displaced;
  constexpr size_t kObject = 24, kTargets = 16, kEntries = 8;
  const auto at = [&](size_t ahead) -> const char* {
    const size_t number = next + ahead;
    return number < displaced.size() ? static_cast<const char*>(displaced.At(number).place)
                                     : nullptr;
  };
  if (const char* const object = at(kObject)) {
    __builtin_prefetch(object - kHeaderBytes);
    __builtin_prefetch(object - kHeaderBytes + 64);
  }
  const auto for_each_target = [](const char* object, auto&& visit) {
    if (object == nullptr) return;
    const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
    constexpr uint32_t kMost = 8;
    for (uint32_t r = 0; r < type.slot_run_count; ++r) {
      const abi::SlotRun& run = type.slot_runs[r];
      if (run.kind != SlotKind::kReference) continue;
      for (uint32_t i = 0; i < std::min(run.count, kMost); ++i) {
        Ref target;
        std::memcpy(&target, object + run.offset + size_t{i} * run.stride, sizeof target);
        visit(target);
      }
    }
  };
  for_each_target(at(kTargets), PrefetchHeader);
  for_each_target(at(kEntries), [&](Ref target) { PrefetchEntry(session, target); });
}

void PrefetchTargets(const SessionState& session, const TypeDescriptor& type, void* payload) {
  const auto for_each_target = [&](auto&& visit) {
    abi::ForEachSlot(type, payload, [&](void** slot, SlotKind kind) {
      if (kind == SlotKind::kReference) visit(*slot);
    });
  };
  for_each_target(PrefetchHeader);
  for_each_target([&](Ref target) { PrefetchEntry(session, target); });
}

}  // namespace tenure::stabilize
