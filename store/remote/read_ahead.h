// Pages that a page server has sent before the program touched them, and which pages are worth
// asking for together with one that is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>

#include "store/format/ids.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"

namespace tenure::store {

// Pages of one database. Needs the lock of the RemotePageServer. The kept records are unchecked.
class ReadAhead {
 public:
  // A read asks for this many pages at first, and for at most kWindowMost.
  static constexpr uint64_t kWindowFirst = 8, kWindowMost = 64;
  static constexpr size_t kPagesMost = 512;  // kept at most

  // The program touches the page. True: the page was kept; *record is its record, and it is kept no
  // longer.
  bool Take(PageId page, PageRecord* record);
  // After Take has found nothing: the run of pages to ask for, which contains the page. A read of
  // pages in ascending order asks for twice as many each time. Elsewhere the run is the aligned
  // group around the page, which grows while pages that came along are touched later, and shrinks,
  // down to the page alone, while they are not, or while other programs want them.
  PageRun Around(PageId page);

  // Keeps a page that came along. The record has kPageRecordBytes.
  void Keep(PageId page, std::span<const std::byte> record);
  // Keeps a page that the program has touched, and will perhaps touch again. It says nothing about
  // pages that came along.
  void KeepUsed(PageId page, std::unique_ptr<PageRecord> record);
  // Pages beyond kPagesMost: drops the one that came first. An invalid page: there is none.
  PageId DropSurplus();
  bool Has(PageId page) const { return kept_.contains(page.number); }
  // False: the page is not kept. *came_along: whether Keep has kept it.
  bool Drop(PageId page, bool* came_along = nullptr);
  // The same for a page that another program wants.
  bool Lose(PageId page);
  void Clear();
  size_t size() const { return kept_.size(); }
  template <typename Is>
  uint64_t CountIf(Is&& is) const {
    uint64_t count = 0;
    for (const uint64_t page : order_) count += is(PageId{page});
    return count;
  }

 private:
  struct Kept {
    std::unique_ptr<PageRecord> record;
    std::list<uint64_t>::iterator place;  // in order_
    bool came_along;
  };

  void NoteUsed();
  void NoteUnused(uint64_t count);

  std::unordered_map<uint64_t, Kept> kept_;  // by page
  std::list<uint64_t> order_;                // the page that came first is the first
  PageId last_{};                            // that was touched
  bool forward_ = false;                     // the one before that was the page before it
  uint64_t forward_window_ = kWindowFirst / 2;
  uint64_t window_ = kWindowFirst;
  // Since the window changed, of the pages that came along. A page that was lost counts as several
  // unused ones.
  uint64_t used_ = 0, unused_ = 0;
  uint64_t misses_alone_ = 0;  // with a window of one page
};

}  // namespace tenure::store
