#include "stabilize/frames/object_images.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "gc/card_table.h"

namespace tenure::stabilize {

using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::TypeDescriptor;

namespace {

template <typename Visit>
void ForEachTarget(Ref object, Visit&& visit) {
  abi::ForEachSlot(*ObjectHeader::Of(object)->type(), object, [&](void** slot, abi::SlotKind kind) {
    if (kind == abi::SlotKind::kReference) visit(*slot);
  });
}

}  // namespace

ObjectImages::Taker::Taker(const gc::Heap& heap, ObjectImages& images)
    : heap_(heap), images_(images) {
  if (images.objects_.size() > images.most_) images.Clear();
  images.Index();
  explored_ = images.objects_.size();
  for (size_t i = 0; i < explored_; ++i) {
    const Object object = images.objects_[i];
    uint64_t* const image = &images.words_[object.image];
    const size_t bytes = object.words * sizeof(uint64_t);
    if (std::memcmp(image, object.place, bytes) == 0) continue;
    std::memcpy(image, object.place, bytes);
    ReachFrom(object.place);
  }
}

void ObjectImages::Clear() { *this = ObjectImages(); }

void ObjectImages::Index() {
  if (!std::exchange(moved_, false)) return;
  index_ = {};
  for (size_t i = 0; i < objects_.size(); ++i) {
    *index_.Insert(reinterpret_cast<uintptr_t>(objects_[i].place)).first = i;
  }
}

void ObjectImages::Taker::Reach(Ref target) {
  if (target == nullptr || !heap_.Contains(target)) return;
  const ObjectHeader* const header = ObjectHeader::Of(target);
  const TypeDescriptor& type = *header->type();
  if (header->displaced() || (type.flags & abi::kTypeTransient) != 0) return;
  const auto [index, fresh] = images_.index_.Insert(reinterpret_cast<uintptr_t>(target));
  if (!fresh) return;
  *index = images_.objects_.size();
  const size_t words = abi::PayloadBytes(type, target) / sizeof(uint64_t);
  const size_t image = images_.words_.size();
  images_.words_.resize(image + words);
  std::memcpy(&images_.words_[image], target, words * sizeof(uint64_t));
  images_.objects_.push_back({target, image, words});
}

void ObjectImages::Taker::Finish() {
  for (; explored_ < images_.objects_.size(); ++explored_) {
    ReachFrom(images_.objects_[explored_].place);
  }
  // Takes all images anew whenever their number has doubled: those of dead objects go.
  constexpr size_t kFew = 1000;
  if (images_.most_ == 0) images_.most_ = 2 * images_.objects_.size() + kFew;
}

void ObjectImages::Taker::ReachFrom(Ref object) {
  ForEachTarget(object, [&](Ref target) { Reach(target); });
}

ObjectImages::Restorer::Restorer(ObjectImages& images, GovernedPages& governed)
    : images_(images), governed_(governed), reached_(images.objects_.size()) {
  images.Index();
}

void ObjectImages::Restorer::Reach(Ref target) {
  if (target == nullptr) return;
  const size_t* const index = images_.index_.Find(reinterpret_cast<uintptr_t>(target));
  if (index == nullptr || reached_[*index]) return;
  reached_[*index] = true;
  images_.PutBack(images_.objects_[*index], governed_);
  unexplored_.push_back(*index);
}

void ObjectImages::Restorer::Finish() {
  while (!unexplored_.empty()) {
    const Ref object = images_.objects_[unexplored_.back()].place;
    unexplored_.pop_back();
    ForEachTarget(object, [&](Ref target) { Reach(target); });
  }
}

void ObjectImages::PutBack(const Object& object, GovernedPages& governed) const {
  const size_t bytes = object.words * sizeof(uint64_t);
  char* const begin = static_cast<char*>(object.place);
  if (std::memcmp(begin, &words_[object.image], bytes) == 0) return;
  // Twice: when mappings run short, one page may cost another one its access.
  for (int time = 0; time < 2; ++time) {
    for (char* page = GovernedPages::PageOf(begin); page < begin + bytes; page += kPageBytes) {
      if (GovernedPage* const found = governed.Find(page)) {
        TN_CHECK(governed.MakeWritable(*found).ok());
      }
    }
  }
  std::memcpy(begin, &words_[object.image], bytes);
  // As for displaced objects: what is put back may refer to young ones.
  gc::CardTable::MarkRange(begin, bytes);
}

void ObjectImages::VisitSlots(gc::SlotVisitor& visitor) {
  moved_ = true;
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
