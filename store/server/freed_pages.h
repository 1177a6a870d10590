// The page numbers that a disk collection has freed, as a database keeps them for later commits:
// runs, apart from each other. A commit's changes to them can be undone. One thread at a time.
#pragma once

#include <cstdint>
#include <map>

#include "store/server/page_server.h"

namespace tenure::store {

class FreedPages {
 public:
  // Adds a run that was read from the store. False when it overlaps another one.
  bool Load(PageRun run);

  const std::map<uint64_t, uint64_t>& runs() const { return runs_; }  // first -> pages
  bool Contains(PageId page) const;
  // The page behind the run that has this page, which is freed.
  PageId EndOfRun(PageId page) const;

  // A commit writes this page: removes it from the freed ones, if it is one.
  void Take(PageId page);
  // A commit frees this page.
  void Add(PageId page);

  // Since the last Settle or Undo: by first page of a run, how long it was; 0 where none began.
  const std::map<uint64_t, uint64_t>& before() const { return before_; }
  void Settle() { before_.clear(); }
  void Undo();

 private:
  void Set(uint64_t first, uint64_t pages);

  std::map<uint64_t, uint64_t> runs_;
  std::map<uint64_t, uint64_t> before_;
};

}  // namespace tenure::store
