// The changes of commits to a database's pages that are in the redo log and not in the tree yet.
// Reads apply these changes. One thread at a time changes the set, and no other thread reads it
// meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/files/page_copy.h"
#include "store/server/page_server.h"

namespace tenure::store {

class PendingPage {
 public:
  using Range = std::pair<uint32_t, uint32_t>;  // of bytes of the page: begin, end

  // The page has the version `tree_version` in the tree; 0: it is not there.
  explicit PendingPage(uint64_t tree_version) : tree_version_(tree_version) {}

  // Adds a page as the commit with `version` writes it. `memory` is for contents that the request
  // does not keep alive; null: PendingPages allocates the memory.
  void Add(const PageWrite& write, uint64_t version, std::shared_ptr<std::byte> memory = nullptr);
  // Turns the tree's record of `page` into the present one. The old record is ignored if the
  // pending change is the whole page. kCorrupt unless the old record and the change are undamaged.
  Status PutOn(PageId page, PageRecord* record) const;

  uint64_t version() const { return version_; }
  uint64_t tree_version() const { return tree_version_; }
  bool whole() const { return whole_; }
  // Ascending, apart from each other; one when it is the whole page.
  std::span<const Range> ranges() const { return ranges_; }

 private:
  void AddWhole(const PageWrite& write, std::shared_ptr<std::byte> memory);
  void AddRegions(std::span<const ChangedRegion> regions);

  uint64_t tree_version_;
  uint64_t version_ = 0;
  std::optional<uint32_t> checksum_;  // none: the page is summed when it is put together
  bool whole_ = false;
  LargeRun run_;  // of a whole page
  std::vector<Range> ranges_;
  // kPageBytes. Unless it is the whole page, only the bytes of the ranges mean anything.
  std::shared_ptr<std::byte> page_;
};

class PendingPages {
 public:
  bool empty() const { return pages_.empty(); }
  size_t size() const { return pages_.size(); }
  const PendingPage* Find(PageId page) const;
  // The entry of a page, made if there is none.
  PendingPage& Entry(PageId page, uint64_t tree_version);
  // The number of pending pages that the tree lacks.
  uint64_t created() const { return created_; }
  std::vector<PageId> Sorted() const;
  void Clear();

 private:
  std::unordered_map<uint64_t, PendingPage> pages_;
  uint64_t created_ = 0;
};

}  // namespace tenure::store
