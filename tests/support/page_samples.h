// Pages with recognizable contents, and commits of them in one line.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "store/server/page_server.h"
#include "tests/support/random.h"

namespace tenure::testing {

struct PageImage {
  std::byte bytes[abi::kPageBytes];

  friend bool operator==(const PageImage& a, const PageImage& b) {
    return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
  }
};

inline PageImage MakePage(uint64_t seed) {
  PageImage image;
  Random random(seed);
  for (size_t i = 0; i < sizeof image.bytes; i += 8) {
    const uint64_t word = random.Next();
    std::memcpy(image.bytes + i, &word, sizeof word);
  }
  return image;
}

// First acquires the permissions for the pages, which a shared server requires, and then commits;
// or, if `order` is true, orders the commit.
inline store::CommitAnswer CommitWanted(store::PageServer& server,
                                        std::span<const store::DatabaseCommit> databases,
                                        store::CommitId id = store::NewCommitId(),
                                        bool order = false) {
  for (const store::DatabaseCommit& commit : databases) {
    std::vector<store::PageId> pages;
    if (commit.root) pages.push_back(store::PageId{0});
    for (const store::PageWrite& write : commit.pages) pages.push_back(write.page);
    // If the permission is refused, so is the commit.
    (void)server.WantWrite(commit.database, pages);
  }
  return order ? server.Order({id, databases}) : server.Commit({id, databases});
}

// Collects writes to one database and commits them. Its arguments must outlive the commit.
class CommitBuilder {
 public:
  CommitBuilder(store::PageServer& server, store::DatabaseId database)
      : server_(server), database_(database) {}

  CommitBuilder& Whole(store::PageId page, uint64_t expected_version, const PageImage& image,
                       store::LargeRun run = {}) {
    writes_.push_back({.page = page,
                       .expected_version = expected_version,
                       .checksum = store::PageChecksum(page, run, image.bytes),
                       .run = run,
                       .contents = image.bytes});
    return *this;
  }

  // Writes the bytes in which `after` differs from the page: one region at `offset`.
  CommitBuilder& Region(store::PageId page, uint64_t expected_version, const PageImage& after,
                        uint32_t offset, size_t count) {
    regions_.push_back(std::make_unique<store::ChangedRegion>(
        store::ChangedRegion{offset, std::span(after.bytes).subspan(offset, count)}));
    writes_.push_back({.page = page,
                       .expected_version = expected_version,
                       .checksum = store::PageChecksum(page, {}, after.bytes),
                       .regions = std::span(regions_.back().get(), 1)});
    return *this;
  }

  CommitBuilder& Root(store::PersistentRef root) {
    root_ = root;
    return *this;
  }

  store::CommitAnswer Commit(store::CommitId id = store::NewCommitId()) {
    const store::DatabaseCommit commit{database_, writes_, root_};
    return CommitWanted(server_, std::span(&commit, 1), id);
  }

  store::CommitAnswer Order(store::CommitId id = store::NewCommitId()) {
    const store::DatabaseCommit commit{database_, writes_, root_};
    return CommitWanted(server_, std::span(&commit, 1), id, /*order=*/true);
  }

  store::DatabaseCommit part() const { return {database_, writes_, root_}; }

 private:
  store::PageServer& server_;
  store::DatabaseId database_;
  std::vector<store::PageWrite> writes_;
  std::vector<std::unique_ptr<store::ChangedRegion>> regions_;
  std::optional<store::PersistentRef> root_;
};

inline std::unique_ptr<store::PageReply> ReadPage(store::PageServer& server,
                                                  store::DatabaseId database, store::PageId page) {
  auto reply = std::make_unique<store::PageReply>();
  const Status status = server.Read(database, std::span(&page, 1), std::span(reply.get(), 1));
  if (!status.ok()) reply->status = status;
  return reply;
}

inline bool Holds(const store::PageReply& reply, const PageImage& image) {
  return reply.status.ok() &&
         std::memcmp(reply.record.contents, image.bytes, sizeof image.bytes) == 0;
}

}  // namespace tenure::testing
