#include "lab/esm/storage.h"

#include <cstring>

#include "lab/support/fail.h"

namespace tenure::lab::esm {

namespace {

constexpr uint64_t kHeadPage = 1, kFirstTree = 2;
constexpr uint64_t kExtent = 16;  // pages of a cluster in a row

store::DatabaseId OpenObjects(store::PageServer& server, bool create) {
  return Check(
      server.OpenDatabase("objects", create ? store::OpenMode::kCreate : store::OpenMode::kOpen),
      "open a database");
}

}  // namespace

Storage::Storage(store::PageServer& server, bool create, uint32_t pool_pages, Clock clock,
                 PoolUser& user)
    : server_(server),
      pool_(server, OpenObjects(server, create), pool_pages, clock, user),
      trees_{BTree(pool_, kFirstTree, 8), BTree(pool_, kFirstTree + 1, 8),
             BTree(pool_, kFirstTree + 2, IndexKey::kMostBytes), BTree(pool_, kFirstTree + 3, 8)} {
  (void)Check(server_.StartTransaction(), "begin a transaction");
  if (create) {
    if (pool_.Allocate(1 + kIndexes) != kHeadPage) Fail("a database is made that has pages");
    (void)pool_.FixNew(kHeadPage);
    for (BTree& tree : trees_) tree.Create();
    head_changed_ = true;
  } else {
    std::memcpy(&head_, pool_.Bytes(pool_.Fix(kHeadPage, PageUse::kMap)), sizeof head_);
  }
}

Storage::~Storage() { server_.EndTransaction(); }

uint64_t Storage::NewPage(Open& open) {
  if (open.next == open.end) {
    open.next = pool_.Allocate(kExtent);
    open.end = open.next + kExtent;
  }
  open.page = open.next++;
  const uint32_t slot = pool_.FixNew(open.page);
  HeadOf(pool_.Bytes(slot)).used = sizeof(PageHead);
  return open.page;
}

Placed Storage::Place(Cluster cluster, size_t bytes, bool metas) {
  bytes = (bytes + sizeof(ObjectHeader) + 7) / 8 * 8;
  if (cluster == Cluster::kMappings) {
    head_.map_bytes += bytes;
  } else if (cluster == Cluster::kBitmaps) {
    head_.bitmap_bytes += bytes;
  } else {
    ++head_.objects;
    head_.object_bytes += bytes;
  }
  head_changed_ = true;
  if (bytes + sizeof(PlaceEntry) > kPageBytes - sizeof(PageHead)) {
    uint64_t pages = (sizeof(PageHead) + bytes + kPageBytes - 1) / kPageBytes;
    const uint64_t metas_at = (sizeof(PageHead) + bytes + 15) / 16 * 16;
    if (metas) {
      while (metas_at + pages * sizeof(MetaObject) > pages * kPageBytes) ++pages;
    }
    const uint64_t first = pool_.Allocate(pages);
    for (uint64_t i = 0; i < pages; ++i) (void)pool_.FixNew(first + i);
    PageHead& head = HeadOf(pool_.Bytes(pool_.Fix(first, PageUse::kData)));
    head.large = bytes - sizeof(ObjectHeader);
    head.metas_at = metas ? metas_at : 0;
    return {MakeId(first, kLargePlace), first, pages, sizeof(PageHead), true};
  }
  Open& open = open_[static_cast<size_t>(cluster)];
  const auto fits = [&](uint64_t page) {
    const PageHead& head = HeadOf(pool_.Bytes(pool_.Fix(page, PageUse::kData)));
    return head.used + bytes + (size_t{head.count} + 1) * sizeof(PlaceEntry) <= kPageBytes;
  };
  const bool new_page = open.page == 0 || !fits(open.page);
  const uint64_t number = new_page ? NewPage(open) : open.page;
  std::byte* const page = pool_.Bytes(pool_.Fix(number, PageUse::kData));
  pool_.ChangedWhole(number);
  PageHead& head = HeadOf(page);
  const uint32_t offset = head.used;
  EntryAt(page, head.count) = {head.used, static_cast<uint16_t>(bytes)};
  head.used = static_cast<uint16_t>(head.used + bytes);
  return {MakeId(number, head.count++), number, 1, offset, new_page};
}

std::byte* Storage::Locate(ObjectId id, PageUse use) {
  std::byte* const page = pool_.Bytes(pool_.Fix(PageOf(id), use));
  if (IsLarge(id)) return page + sizeof(PageHead);
  if (PlaceOf(id) >= HeadOf(page).count) Fail("an identifier names no object");
  return page + EntryAt(page, PlaceOf(id)).offset;
}

uint32_t Storage::SizeOf(ObjectId id, PageUse use) {
  if (IsLarge(id)) Fail("an object larger than a page is used as a whole");
  std::byte* const page = pool_.Bytes(pool_.Fix(PageOf(id), use));
  return EntryAt(page, PlaceOf(id)).bytes - static_cast<uint32_t>(sizeof(ObjectHeader));
}

void Storage::Commit() {
  if (head_changed_) {
    std::byte* const page = pool_.Bytes(pool_.Fix(kHeadPage, PageUse::kMap));
    pool_.ChangedWhole(kHeadPage);
    std::memcpy(page, &head_, sizeof head_);
    head_changed_ = false;
  }
  pool_.Commit();
  server_.EndTransaction();
  (void)Check(server_.StartTransaction(), "begin a transaction");
}

}  // namespace tenure::lab::esm
