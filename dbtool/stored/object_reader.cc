#include "dbtool/stored/object_reader.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "abi/object_header.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PageRecord;
using store::PersistentRef;

Status ObjectReader::Fetch(PageId page) {
  std::vector<PageId> wanted;
  for (uint64_t i = 0; i < kPagesAtOnce && !kept_.contains(page.number + i); ++i) {
    wanted.push_back(page + i);
  }
  std::vector<store::PageReply> replies(wanted.size());
  TN_RETURN_IF_ERROR(server_.Read(database_, wanted, replies));
  for (size_t i = 0; i < wanted.size(); ++i) {
    uses_.push_front(wanted[i].number);
    kept_[wanted[i].number] = std::make_unique<Kept>(Kept{replies[i], uses_.begin()});
  }
  return Status::Ok();
}

void ObjectReader::Forget() {
  kept_.clear();
  uses_.clear();
  large_first_ = 0;
}

ObjectSource& ObjectReader::source() {
  if (source_ == nullptr) source_ = std::make_unique<ObjectSource>(server_, database_, types_);
  return *source_;
}

Result<const PageRecord*> ObjectReader::ReadPage(PageId page) {
  auto found = kept_.find(page.number);
  if (found == kept_.end()) {
    TN_RETURN_IF_ERROR(Fetch(page));
    found = kept_.find(page.number);
  }
  uses_.splice(uses_.begin(), uses_, found->second->use);
  while (kept_.size() > kPagesKept) {
    kept_.erase(uses_.back());
    uses_.pop_back();
  }
  TN_RETURN_IF_ERROR(found->second->reply.status);
  return &found->second->reply.record;
}

Result<StoredObject> ObjectReader::Read(PersistentRef at) {
  if (!at.well_formed_object()) return NoObject(at);
  if (at.page().number == large_first_ && at.offset() == kHeaderBytes) return ReadLarge(at);
  TN_ASSIGN_OR_RETURN(const PageRecord* record, ReadPage(at.page()));
  if (record->run.large()) return ReadLarge(at);
  const std::span<const std::byte> payload = std::span(record->contents).subspan(at.offset());
  uint64_t header;
  std::memcpy(&header, record->contents + at.offset() - kHeaderBytes, sizeof header);
  StoredObject object;
  object.at = at;
  object.type = abi::ObjectHeader{header}.is_filler()
                    ? nullptr
                    : types_.At(header >> store::kStoredTypeShift);
  if (object.type == nullptr) return NoObject(at);
  const std::optional<uint64_t> bytes = PayloadBytes(*object.type, payload);
  if (!bytes || *bytes > payload.size()) return NoObject(at);
  object.payload = payload.first(*bytes);
  return object;
}

Result<StoredObject> ObjectReader::ReadLarge(PersistentRef at) {
  const PageId first = at.page();
  if (at.offset() != kHeaderBytes) return NoObject(at);
  if (first.number != large_first_) {
    large_first_ = 0;
    large_.clear();
    uint32_t pages = 1;
    for (uint32_t i = 0; i < pages; ++i) {
      TN_ASSIGN_OR_RETURN(const PageRecord* record, ReadPage(first + i));
      const store::LargeRun& run = record->run;
      if (i == 0) pages = run.pages;
      if (i == 0) large_type_ = run.type;
      if (run.type != large_type_ || run.index != i || run.pages != pages) return NoObject(at);
      large_.insert(large_.end(), record->contents, record->contents + kPageBytes);
    }
    large_first_ = first.number;
  }
  StoredObject object;
  object.at = at;
  object.type = types_.At(large_type_);
  if (object.type == nullptr) return NoObject(at);
  const std::span<const std::byte> payload = std::span(large_).subspan(kHeaderBytes);
  const std::optional<uint64_t> bytes = PayloadBytes(*object.type, payload);
  if (!bytes || *bytes > payload.size()) return NoObject(at);
  object.payload = payload.first(*bytes);
  return object;
}

}  // namespace tenure::dbtool
