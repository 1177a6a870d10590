#pragma once

// Pages with recognizable contents, and commits of them in one line.

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "stabilize/page_server.h"

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

// Commits what it first gets the permissions for: a shared server wants them.
inline stabilize::CommitAnswer CommitWanted(stabilize::PageServer& server,
                                            std::span<const stabilize::DatabaseCommit> databases,
                                            stabilize::CommitId id = stabilize::NewCommitId()) {
  for (const stabilize::DatabaseCommit& commit : databases) {
    std::vector<stabilize::PageId> pages;
    if (commit.root) pages.push_back(stabilize::PageId{0});
    for (const stabilize::PageWrite& write : commit.pages) pages.push_back(write.page);
    // When it is refused, so is the commit.
    (void)server.WantWrite(commit.database, pages);
  }
  return server.Commit({id, databases});
}

// Collects writes to one database and commits them. What it is given must outlive the commit.
class CommitBuilder {
 public:
  CommitBuilder(stabilize::PageServer& server, stabilize::DatabaseId database)
      : server_(server), database_(database) {}

  CommitBuilder& Whole(stabilize::PageId page, uint64_t expected_version, const PageImage& image,
                       stabilize::LargeRun run = {}) {
    writes_.push_back({.page = page,
                       .expected_version = expected_version,
                       .checksum = stabilize::PageChecksum(page, run, image.bytes),
                       .run = run,
                       .contents = image.bytes});
    return *this;
  }

  // Writes the bytes in which `after` differs from what the page holds: one region at `offset`.
  CommitBuilder& Region(stabilize::PageId page, uint64_t expected_version, const PageImage& after,
                        uint32_t offset, size_t count) {
    regions_.push_back(std::make_unique<stabilize::ChangedRegion>(
        stabilize::ChangedRegion{offset, std::span(after.bytes).subspan(offset, count)}));
    writes_.push_back({.page = page,
                       .expected_version = expected_version,
                       .checksum = stabilize::PageChecksum(page, {}, after.bytes),
                       .regions = std::span(regions_.back().get(), 1)});
    return *this;
  }

  CommitBuilder& Root(stabilize::PersistentRef root) {
    root_ = root;
    return *this;
  }

  stabilize::CommitAnswer Commit(stabilize::CommitId id = stabilize::NewCommitId()) {
    const stabilize::DatabaseCommit commit{database_, writes_, root_};
    return CommitWanted(server_, std::span(&commit, 1), id);
  }

  stabilize::DatabaseCommit part() const { return {database_, writes_, root_}; }

 private:
  stabilize::PageServer& server_;
  stabilize::DatabaseId database_;
  std::vector<stabilize::PageWrite> writes_;
  std::vector<std::unique_ptr<stabilize::ChangedRegion>> regions_;
  std::optional<stabilize::PersistentRef> root_;
};

inline std::unique_ptr<stabilize::PageReply> ReadPage(stabilize::PageServer& server,
                                                      stabilize::DatabaseId database,
                                                      stabilize::PageId page) {
  auto reply = std::make_unique<stabilize::PageReply>();
  const Status status = server.Read(database, std::span(&page, 1), std::span(reply.get(), 1));
  if (!status.ok()) reply->status = status;
  return reply;
}

inline bool Holds(const stabilize::PageReply& reply, const PageImage& image) {
  return reply.status.ok() &&
         std::memcmp(reply.record.contents, image.bytes, sizeof image.bytes) == 0;
}

}  // namespace tenure::testing
