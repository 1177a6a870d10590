// The commits that a server remembers while it runs: by whom, when, how large, and in which
// databases.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/remote/serving_report.h"

namespace tenure::store {

struct RecentCommit {
  // Bytes of a page that was there before.
  struct Region {
    uint64_t page = 0;
    uint32_t offset = 0, bytes = 0;
  };
  struct Part {
    std::string database;
    bool root = false;  // the root was changed
    uint64_t new_pages = 0, whole_pages = 0, changed_pages = 0, removed_pages = 0;
    uint64_t bytes = 0;  // that were written: of whole pages, and of regions of the others
    // The first ones of each, ascending.
    std::vector<uint64_t> new_page_numbers;
    std::vector<Region> regions;
  };
  static constexpr size_t kPagesKept = 32, kRegionsKept = 32;

  ServingReport::Party party;
  int64_t at = 0;  // milliseconds since 1970
  uint64_t version = 0;
  std::vector<Part> parts;
};

struct RecentCommits {
  uint64_t total = 0;                 // since the server was started
  std::vector<RecentCommit> commits;  // the latest of them, the last one first
};

void PutRecent(Writer& out, const RecentCommits& recent);
// Reads the answer; `in` tells afterwards whether the bytes were a valid one.
RecentCommits GetRecent(Reader& in);

}  // namespace tenure::store
