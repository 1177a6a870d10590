// Walks over the objects and slots of images of pages in memory form.
#pragma once

#include <cstddef>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "base/check.h"
#include "stabilize/frames/placed.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/database.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

// Calls visit(type, payload) for the objects of an image of an ordinary page.
template <typename Visit>
void ForEachObjectInImage(std::byte* image, Visit&& visit) {
  size_t at = 0;
  while (at < abi::kPageBytes) {
    const auto* header = reinterpret_cast<const abi::ObjectHeader*>(image + at);
    if (header->is_filler()) {
      at += header->filler_bytes();
      continue;
    }
    const abi::TypeDescriptor& type = *header->type();
    abi::Ref payload = image + at + abi::kHeaderBytes;
    at += abi::kHeaderBytes + abi::PayloadBytes(type, payload);
    visit(type, payload);
  }
}

// Calls visit(Ref* slot, kind) for the slots of an image of one page of a database, whose frame
// has been read.
template <typename Visit>
void ForEachSlotOnPage(Database& database, PageId page, std::byte* image, Visit&& visit) {
  const LargeRun run = database.frames().At(page).run;
  if (!run.large()) {
    ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref object) {
      abi::ForEachSlot(type, object, [&](void** slot, abi::SlotKind kind) { visit(slot, kind); });
    });
    return;
  }
  Result<const abi::TypeDescriptor*> type = database.TypeOf(run.type);
  TN_CHECK(type.ok());  // Decoding the page has found the type.
  const PayloadPart part = PayloadOnPage(run);
  ForEachSlotBetween(**type, part.begin, part.end, [&](size_t offset, abi::SlotKind kind) {
    visit(reinterpret_cast<abi::Ref*>(image + part.OnPage(offset)), kind);
  });
}

}  // namespace tenure::stabilize
