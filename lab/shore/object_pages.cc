#include "lab/shore/object_pages.h"

#include <algorithm>
#include <utility>

#include "lab/support/fail.h"

namespace tenure::lab::shore {

ObjectPages::Page& ObjectPages::Get(uint64_t number) {
  Page& page = pool_[number];
  if (page.bytes != nullptr) return page;
  const store::PageId id{number};
  const auto reply = std::make_unique<store::PageReply>();
  Check(server_.Read(database_, std::span(&id, 1), std::span(reply.get(), 1)), "read a page");
  Check(reply->status, "read a page");
  page.bytes = std::make_unique<std::byte[]>(kPageBytes);
  std::copy_n(reply->record.contents, kPageBytes, page.bytes.get());
  page.version = reply->record.version;
  ++counters_.pages_read;
  return page;
}

ObjectPages::Page& ObjectPages::New() {
  last_ = Check(server_.AllocatePages(database_, 1), "allocate a page").first.number;
  Page& page = pool_[last_];
  page.bytes = std::make_unique<std::byte[]>(kPageBytes);
  page.changed = true;
  HeadOf(page).used = sizeof(Head);
  return page;
}

Serial ObjectPages::Place(size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (bytes + sizeof(Entry) > kPageBytes - sizeof(Head)) {
    // The first page says the size; the object begins behind its head.
    Page& first = New();
    HeadOf(first).large = bytes;
    const uint64_t number = last_;
    const size_t pages = (bytes + sizeof(Head) + kPageBytes - 1) / kPageBytes;
    for (size_t i = 1; i < pages; ++i) {
      (void)New();
      if (last_ != number + i) Fail("pages of a large object are not consecutive");
    }
    open_ = 0;
    return MakeSerial(number, kLargePlace);
  }
  const auto fits = [&](Page& page) {
    const Head& head = HeadOf(page);
    return head.used + bytes + (size_t{head.count} + 1) * sizeof(Entry) <= kPageBytes;
  };
  if (open_ == 0 || !fits(Get(open_))) {
    (void)New();
    open_ = last_;
  }
  Page& page = Get(open_);
  Head& head = HeadOf(page);
  EntryOf(page, head.count) = {head.used, static_cast<uint16_t>(bytes)};
  head.used = static_cast<uint16_t>(head.used + bytes);
  return MakeSerial(open_, head.count++);
}

size_t ObjectPages::SizeOf(Serial serial) {
  Page& page = Get(PageOf(serial));
  if (IsLarge(serial)) return HeadOf(page).large;
  if (PlaceOf(serial) >= HeadOf(page).count) Fail("an identifier names no object");
  return EntryOf(page, PlaceOf(serial)).bytes;
}

std::span<std::byte> ObjectPages::Find(Serial serial) {
  const size_t bytes = SizeOf(serial);
  if (IsLarge(serial)) Fail("an object larger than a page is used as a whole");
  Page& page = Get(PageOf(serial));
  return {page.bytes.get() + EntryOf(page, PlaceOf(serial)).offset, bytes};
}

std::span<std::byte> ObjectPages::FindPart(Serial serial, size_t offset) {
  const size_t at = offset + sizeof(Head);
  Page& page = Get(PageOf(serial) + at / kPageBytes);
  const size_t within = at % kPageBytes;
  const size_t left = SizeOf(serial) - offset;
  return {page.bytes.get() + within, std::min(kPageBytes - within, left)};
}

void ObjectPages::NoteChanged(Serial serial, size_t offset) {
  const size_t more = IsLarge(serial) ? (offset + sizeof(Head)) / kPageBytes : 0;
  Get(PageOf(serial) + more).changed = true;
}

std::vector<store::DatabaseCommit> ObjectPages::Prepare() {
  writes_.clear();
  for (auto& [number, page] : pool_) {
    if (!page.changed) continue;
    store::PageWrite write;
    write.page = store::PageId{number};
    write.expected_version = page.version;
    write.contents = page.bytes.get();
    write.checksum = store::PageChecksum(write.page, {}, write.contents);
    writes_.push_back(write);
  }
  if (writes_.empty()) return {};
  std::vector<store::PageId> pages;
  for (const store::PageWrite& write : writes_) pages.push_back(write.page);
  Check(server_.WantWrite(database_, pages), "lock pages");
  store::DatabaseCommit commit;
  commit.database = database_;
  commit.pages = writes_;
  return {commit};
}

void ObjectPages::NoteCommitted(uint64_t version) {
  counters_.pages_written += writes_.size();
  for (const store::PageWrite& write : writes_) {
    Page& page = pool_[write.page.number];
    page.version = version;
    page.changed = false;
  }
  writes_.clear();
}

uint64_t ObjectPages::Commit(std::vector<store::DatabaseCommit> more) {
  std::vector<store::DatabaseCommit> all = Prepare();
  all.insert(all.end(), more.begin(), more.end());
  if (all.empty()) return 0;
  const store::CommitAnswer answer = server_.Commit({store::NewCommitId(), all});
  Check(answer.status, "commit");
  NoteCommitted(answer.version);
  return answer.version;
}

}  // namespace tenure::lab::shore
