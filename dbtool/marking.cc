#include "dbtool/marking.h"

#include <utility>

#include "dbtool/progress.h"

namespace tenure::dbtool {

using store::PageId;
using store::PersistentRef;

void Marking::Reach(PersistentRef to) {
  if (!to.is_object()) return;
  Objects& marked = marked_[to.page().number];
  if (marked.test(to.offset() / 8)) return;
  marked.set(to.offset() / 8);
  waiting_[to.page().number].push_back(static_cast<uint16_t>(to.offset()));
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
  while (!waiting_.empty()) {
    auto next = waiting_.lower_bound(at);
    if (next == waiting_.end()) next = waiting_.begin();
    const PageId page{next->first};
    at = page.number + 1;
    std::vector<uint16_t> offsets = std::move(next->second);
    waiting_.erase(next);
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
  const auto found = marked_.find(page.number);
  return found != marked_.end() && found->second.test(payload / 8);
}

}  // namespace tenure::dbtool
