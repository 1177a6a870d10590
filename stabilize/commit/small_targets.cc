#include "stabilize/commit/small_targets.h"

#include <algorithm>

namespace tenure::stabilize {

using abi::ObjectHeader;
using abi::Ref;
using abi::SlotKind;
using abi::TypeDescriptor;

namespace {

// Small objects that wait for their places; what is more is reached later.
constexpr size_t kWaitingMax = 1 << 16;

}  // namespace

bool SmallTargets::Push(Ref object) {
  const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  const size_t before = waiting_.size();
  bool all_small = true;
  // Targets without references come first.
  pure_.clear();
  abi::ForEachSlot(type, object, [&](void** slot, SlotKind kind) {
    const Ref target = *slot;
    if (kind != SlotKind::kReference || !session_.heap.Contains(target)) return;
    const ObjectHeader* const header = ObjectHeader::Of(target);
    if ((header->type()->flags & abi::kTypeTransient) != 0) return;
    if (BytesOf(target) > kSmallObject) {
      all_small = false;
    } else if (!header->displaced() && waiting_.size() < kWaitingMax) {
      const bool pure = (header->type()->flags & abi::kTypePure) != 0;
      (pure ? pure_ : waiting_).push_back(target);
      if (session_.reports.with_details() && !cluster_.Contains(target)) {
        captured_[target] = session_.reports.Capture(
            type, static_cast<size_t>(reinterpret_cast<char*>(slot) - static_cast<char*>(object)));
      }
    }
  });
  std::reverse(waiting_.begin() + static_cast<ptrdiff_t>(before), waiting_.end());
  waiting_.insert(waiting_.end(), pure_.rbegin(), pure_.rend());
  return all_small;
}

}  // namespace tenure::stabilize
