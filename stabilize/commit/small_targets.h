// With breadth-first order: small objects get their places together, behind the object that refers
// to them (store/format/clustering.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/object_header.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/session_state.h"
#include "store/format/clustering.h"

namespace tenure::stabilize {

// Of one commit, with the session's lock.
class SmallTargets {
 public:
  explicit SmallTargets(SessionState& session) : session_(session) {}

  // Calls place(target, captured by) for the small objects behind this one that have no home yet,
  // ahead of others of their generation, until place returns false: that is the result.
  template <typename Place>
  bool PlaceBehind(abi::Ref object, Place&& place) {
    if (BytesOf(object) > kLongObject) return true;
    const auto place_all = [&] {
      return cluster_.PlaceAll([&](abi::Ref target) {
        return place(target, session_.reports.with_details() ? captured_[target] : CapturedBy{});
      });
    };
    const bool good = PlaceSmallBehind(
        object, waiting_, [&](abi::Ref from) { return Push(from); },
        [&](abi::Ref target) {
          return abi::ObjectHeader::Of(target)->displaced() || cluster_.Contains(target);
        },
        [&](abi::Ref target) {
          const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(target)->type();
          const bool pure = (type.flags & abi::kTypePure) != 0;
          cluster_.Add(target, target, pure ? nullptr : &type, BytesOf(target));
          return !cluster_.full() || place_all();
        });
    return good && place_all();
  }

 private:
  static size_t BytesOf(abi::Ref object) {
    return abi::kHeaderBytes + abi::PayloadBytes(*abi::ObjectHeader::Of(object)->type(), object);
  }
  // Appends the small targets of the object to waiting_, in reverse order; whether all its targets
  // are small.
  bool Push(abi::Ref object);

  struct RefHash {
    uint64_t operator()(abi::Ref object) const {
      return SpreadBits(reinterpret_cast<uintptr_t>(object));
    }
  };

  SessionState& session_;
  std::vector<abi::Ref> waiting_, pure_;               // kept for their memory
  std::unordered_map<abi::Ref, CapturedBy> captured_;  // for the report only
  Cluster<abi::Ref, abi::Ref, abi::TypeDescriptor, RefHash> cluster_;
};

}  // namespace tenure::stabilize
