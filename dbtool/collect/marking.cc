#include "dbtool/collect/marking.h"

#include <utility>

#include "dbtool/stored/progress.h"

namespace tenure::dbtool {

using store::PageId;
using store::PersistentRef;

void Marking::Reach(PersistentRef to) {
  if (!to.is_object()) return;
  const uint64_t number = to.page().number;
  Page& page = pages_.At(number);
  if (page.marked.test(to.offset() / 8)) return;
  page.marked.set(to.offset() / 8);
  if (page.waiting.empty()) waiting_[number / kPagesTogether].set(number % kPagesTogether);
  page.waiting.push_back(static_cast<uint16_t>(to.offset()));
}

std::optional<uint64_t> Marking::TakePage(uint64_t from) {
  for (const uint64_t first : {from, uint64_t{0}}) {
    for (auto pages = waiting_.lower_bound(first / kPagesTogether); pages != waiting_.end();
         ++pages) {
      const size_t begin = pages->first == first / kPagesTogether ? first % kPagesTogether : 0;
      const size_t found = pages->second.test(begin) ? begin : pages->second._Find_next(begin);
      if (found == kPagesTogether) continue;
      const uint64_t number = pages->first * kPagesTogether + found;
      pages->second.reset(found);
      if (pages->second.none()) waiting_.erase(pages);
      return number;
    }
  }
  return std::nullopt;
}

bool Marking::MayRefer(uint32_t type) const {
  const StoredType* const found = types_.At(type);
  return found == nullptr || !found->slots.empty() || !found->element_slots.empty();
}

Status Marking::Run(uint64_t objects) {
  TN_ASSIGN_OR_RETURN(PersistentRef root, server_.Root(database_));
  Reach(root);
  TN_ASSIGN_OR_RETURN(std::vector<store::ExportEntry> exports, server_.Exports(database_));
  for (const store::ExportEntry& entry : exports) Reach(entry.object);
  Progress progress("objects found", objects);
  uint64_t at = 0, found = 0;
  while (const std::optional<uint64_t> next = TakePage(at)) {
    const PageId page{*next};
    at = page.number + 1;
    const std::vector<uint16_t> offsets = std::exchange(pages_.At(page.number).waiting, {});
    TN_ASSIGN_OR_RETURN(const store::PageRecord* record, reader_.ReadPage(page));
    // Most bytes of a database are in large objects of numbers or characters.
    if (record->run.large() && !MayRefer(record->run.type)) {
      progress.Show(++found);
      continue;
    }
    for (uint16_t offset : offsets) {
      TN_ASSIGN_OR_RETURN(StoredObject object, reader_.Read(PersistentRef::Object(page, offset)));
      ForEachSlot(*object.type, object.payload.size(), [&](uint64_t slot, StoredSlot kind) {
        if (kind == StoredSlot::kReference) Reach(PersistentRef{object.Word(slot)});
      });
      progress.Show(++found);
    }
  }
  return Status::Ok();
}

bool Marking::Marked(PageId page, size_t payload) const {
  const Page* const found = pages_.Find(page.number);
  return found != nullptr && found->marked.test(payload / 8);
}

size_t Marking::CountMarked(PageId page) const {
  const Page* const found = pages_.Find(page.number);
  return found != nullptr ? found->marked.count() : 0;
}

}  // namespace tenure::dbtool
