// Hands out the page numbers of one database: returned ones first, else new ones. In memory only;
// the database's head keeps the highest number committed. One thread at a time.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

class PageIds {
 public:
  // Numbers below `next_page` have been used by commits.
  explicit PageIds(uint64_t next_page) : committed_next_(next_page), next_(next_page) {}

  Result<PageRun> Allocate(uint64_t count);
  // kInvalidArgument if part of it is not handed out. Whether a commit used one of them is the
  // caller's to know: a page that exists cannot be made anew, so the next user would meet a
  // conflict.
  Status Return(PageRun run);

  // As many of those that are free below next_page(), in runs of any length.
  std::vector<PageRun> AllocateFree(uint64_t most);
  // Notes that the page is in use, whether or not its number has been handed out before. `page` is
  // below kPageNumberLimit.
  void Claim(PageId page);

  // A commit has written this page, which is below next_page().
  void NoteCommitted(PageId written);

  // One more than the highest number handed out.
  uint64_t next_page() const { return next_; }
  // Whether a page of this number may exist or be written: handed out at some time.
  bool known(PageId page) const { return page.valid() && page.number < next_; }

 private:
  uint64_t committed_next_;  // one more than the highest number that a commit has used
  uint64_t next_;
  std::map<uint64_t, uint64_t> free_;  // first -> count; apart from each other and below next_
};

}  // namespace tenure::store
