#include "stabilize/object_images.h"

#include <cstring>

#include "base/check.h"
#include "gc/card_table.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::TypeDescriptor;

void ObjectImages::Taker::Reach(Ref target) {
  if (target == nullptr || !heap_.Contains(target)) return;
  const ObjectHeader* const header = ObjectHeader::Of(target);
  const TypeDescriptor& type = *header->type();
  if (header->displaced() || (type.flags & abi::kTypeTransient) != 0) return;
  if (!reached_.Insert(reinterpret_cast<uintptr_t>(target)).second) return;
  const size_t words = abi::PayloadBytes(type, target) / sizeof(uint64_t);
  const size_t image = images_.words_.size();
  images_.words_.resize(image + words);
  std::memcpy(&images_.words_[image], target, words * sizeof(uint64_t));
  images_.objects_.push_back({target, image, words});
}

void ObjectImages::Taker::Finish() {
  for (; explored_ < images_.objects_.size(); ++explored_) {
    const Ref object = images_.objects_[explored_].place;
    abi::ForEachSlot(*ObjectHeader::Of(object)->type(), object,
                     [&](void** slot, abi::SlotKind kind) {
                       if (kind == abi::SlotKind::kReference) Reach(*slot);
                     });
  }
}

void ObjectImages::PutBack(GovernedPages& governed) const {
  for (const Object& object : objects_) {
    const size_t bytes = object.words * sizeof(uint64_t);
    char* const begin = static_cast<char*>(object.place);
    for (char* page = GovernedPages::PageOf(begin); page < begin + bytes; page += kPageBytes) {
      if (GovernedPage* const found = governed.Find(page)) {
        TN_CHECK(governed.MakeWritable(*found).ok());
      }
    }
    std::memcpy(begin, &words_[object.image], bytes);
    // As of displaced objects: what comes back may refer to young ones.
    gc::CardTable::MarkRange(begin, bytes);
  }
}

void ObjectImages::VisitSlots(gc::SlotVisitor& visitor) {
  for (Object& object : objects_) {
    visitor.VisitSlot(&object.place);
    // The lengths of an open array are in the image as well.
    abi::ForEachReference(*ObjectHeader::Of(object.place)->type(), &words_[object.image],
                          [&](void** slot) {
                            if (*slot != nullptr) visitor.VisitSlot(slot);
                          });
  }
}

}  // namespace tenure::stabilize
