// Commits of whole pages, as many as have been put together.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "store/server/page_server.h"

namespace tenure::dbtool {

// kInUse while commits of several stores wait here for their outcome: they name pages.
Status CheckNothingPrepared(store::PageServer& server);

class PageWrites {
 public:
  PageWrites(store::PageServer& server, store::DatabaseId database)
      : server_(server), database_(database) {}

  // A page's new contents; kPageBytes, to be filled in before Commit. Version 0: a new page.
  std::byte* Put(store::PageId page, uint64_t expected_version, const store::LargeRun& run = {});
  void Remove(store::PageId page, uint64_t expected_version);
  uint64_t pages() const { return writes_.size(); }

  // Asks for permission to write all that was put since the last commit.
  Status WantWrite();

  // Commits the writes since the last one; and with `more`'s root and tables, if given.
  Status Commit(const store::DatabaseCommit* more = nullptr);
  // Gives up all that was put since the last commit.
  void Forget();
  // The version that the last successful Commit gave its pages.
  uint64_t version() const { return version_; }

 private:
  struct Contents {
    std::byte bytes[abi::kPageBytes];
  };

  store::PageServer& server_;
  const store::DatabaseId database_;
  std::vector<store::PageWrite> writes_;
  std::deque<Contents> contents_;
  uint64_t version_ = 0;
};

}  // namespace tenure::dbtool
