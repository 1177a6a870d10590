// Where the objects of a page begin, and their references, as the check of requests reads them.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "base/result.h"
#include "store/server/described_type.h"
#include "store/server/known_types.h"
#include "store/server/page_server.h"

namespace tenure::store {

// The objects of a page: where they begin, and their types.
struct ObjectStarts {
  std::bitset<abi::kPageBytes / 8> starts;  // of payloads
  uint32_t type = 0;                        // of all these, unless there are types
  std::vector<uint32_t> types;              // of these, in their order
  bool all_known = true;  // false: the page cannot be read; another reader reports it

  uint32_t TypeAt(size_t offset) const {
    if (types.empty()) return type;
    return types[(starts << (starts.size() - offset / 8)).count()];
  }
  void Add(size_t offset, uint32_t its) {
    const bool first = type == 0;
    if (!first && types.empty() && its != type) types.assign(starts.count(), type);
    starts.set(offset / 8);
    if (first) type = its;
    if (!types.empty()) types.push_back(its);
  }
};

bool IsZero(const std::byte* page, size_t begin, size_t end);

// Where objects begin on a page, and that they and free places are all that there is;
// kInvalidArgument.
Status FindStarts(KnownTypes& known, PageId page, const LargeRun& run, const std::byte* contents,
                  ObjectStarts* objects, KnownTypes::Cache* types);

// Calls visit(object, target) for each reference on the page to an object of the same database.
template <typename Visit>
Status ForEachReference(KnownTypes& known, PageId page, const LargeRun& run,
                        const std::byte* contents, KnownTypes::Cache* types, const Visit& visit);

// --- Implementation

template <typename Visit>
Status ForEachReference(KnownTypes& known, PageId page, const LargeRun& run,
                        const std::byte* contents, KnownTypes::Cache* types, const Visit& visit) {
  const auto look = [&](uint64_t from, size_t at, const DescribedType::Slots& slots) {
    const PersistentRef to{WordAt(contents, at)};
    if (slots.kind == static_cast<unsigned>(abi::SlotKind::kReference) && to.is_object()) {
      visit(from, to.bits);
    }
    return true;
  };
  if (run.large()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, known.ObjectTypeAt(page, run.type, types));
    const uint64_t from =
        PersistentRef::Object(PageId{page.number - run.index}, abi::kHeaderBytes).bits;
    const uint64_t begin = uint64_t{run.index} * abi::kPageBytes;
    const uint64_t end = begin + abi::kPageBytes - abi::kHeaderBytes;
    (void)ForEachDescribedSlot(*type, end,
                               begin < abi::kHeaderBytes ? 0 : begin - abi::kHeaderBytes, end,
                               [&](uint64_t offset, const DescribedType::Slots& slots) {
                                 return look(from, offset + abi::kHeaderBytes - begin, slots);
                               });
    return Status::Ok();
  }
  ObjectStarts objects;
  TN_RETURN_IF_ERROR(FindStarts(known, page, run, contents, &objects, types));
  for (size_t word = objects.starts._Find_first(); word < objects.starts.size();
       word = objects.starts._Find_next(word)) {
    const size_t at = word * 8;
    TN_ASSIGN_OR_RETURN(const DescribedType* const type,
                        known.ObjectTypeAt(page, objects.TypeAt(at), types));
    uint64_t payload = 0;
    const size_t room = abi::kPageBytes - at + abi::kHeaderBytes;
    (void)StoredObjectBytes(*type, contents + at - abi::kHeaderBytes, room, room, &payload);
    (void)ForEachDescribedSlot(
        *type, payload, 0, payload, [&](uint64_t offset, const DescribedType::Slots& slots) {
          return look(PersistentRef::Object(page, at).bits, at + offset, slots);
        });
  }
  return Status::Ok();
}

}  // namespace tenure::store
