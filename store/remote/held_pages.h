// The pages of one database that a program holds at its page server, has asked for, or knows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "store/format/page_record.h"
#include "store/remote/read_ahead.h"
#include "store/remote/wandering_pages.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A page is *held* if the open transaction, or one before it, was granted the page and has not
// given it up. A page that was sent before it was touched, and is not held, is *free*: no
// transaction has read it, so it is given up as soon as another program asks. Page 0 stands for the
// root. Sends nothing; needs the lock of the RemotePageServer.
class HeldPages {
 public:
  // A page to give up: wholly, or only the permission to write it.
  struct ToGiveUp {
    PageId page;
    bool drop;
  };

  // The program holds nothing: the connection is lost, or the database is closed.
  void Forget();
  // The program does not hold the page any more.
  void Forget(PageId page);
  bool HoldsAny() const { return !held_.empty(); }
  bool IsFree(PageId page) const { return prefetched_.Has(page) && !IsUsed(page); }
  uint64_t CountFree() const {
    return prefetched_.CountIf([&](PageId page) { return !IsUsed(page); });
  }

  // --- Requests in progress

  // A request needs the page, from BeginNeed to EndNeed. Meanwhile the page is not free, nor asked
  // for beside others: a release could reach the server after the grant and before the answer is
  // here, and the program would hold the page without the server's knowledge. The page must not be
  // on its way.
  void BeginNeed(PageId page);
  void EndNeed(PageId page) { needed_.erase(needed_.find(page.number)); }
  // Whether a read in progress asks for the page beside the one that it needs. No other request is
  // about such a page: the server may grant it and call it back before the answer is here.
  bool IsOnTheWay(PageId page) const { return on_the_way_.contains(page.number); }
  // New pages are asked for. `run` is the answer; without pages: a failure.
  void BeginAllocation() { ++allocations_; }
  void EndAllocation(PageRun run);
  void Return(PageRun run);
  // Whether the server may have granted the page already by an answer that is still to come. No
  // transaction need be in progress when new pages are asked for.
  bool MayArrive(PageId page) const { return allocations_ != 0 && !held_.contains(page.number); }
  // Those of the pages that the server must be asked for.
  std::vector<PageId> NotHeld(std::span<const PageId> pages, bool to_write) const;

  // --- Reads

  // The program touches the page. True: the page was sent before, and *record is its record.
  bool Touch(PageId page, PageRecord* record) { return prefetched_.Take(page, record); }
  // The pages around a touched one that are worth asking for; none is above `last`.
  PageRun Around(PageId page, PageId last);
  // `pages` are the touched one and others that may come: removes those that need not. The others
  // but the first are on the way until EndNeighbours.
  void BeginNeighbours(std::vector<PageId>& pages);
  void EndNeighbours(std::span<const PageId> pages);
  // A neighbour has come, with kPageRecordBytes. False: it must be given up, since another program
  // has asked for it.
  bool KeepNeighbour(PageId page, std::span<const std::byte> record);
  // Free pages beyond ReadAhead::kPagesMost, which are to be given up.
  std::vector<PageId> DropSurplus();
  void NoteGranted(PageId page, bool to_write);
  // A touch got permission to write, and contents of this version.
  void NoteGrantedToWrite(PageId page, uint64_t version);
  // The transaction has read the page: keeps the record if the page may become free.
  // `others_want`: other programs have wanted pages during transactions lately.
  void NoteUsed(PageId page, const PageRecord& record, bool others_want);
  // Whether a touch should ask for permission to write: several programs write the page in turns.
  bool WillBeWritten(PageId page) const { return wandering_.WillBeWritten(page); }
  // Whether others want the page during transactions, and this program's last commit wrote it.
  bool WasWrittenLast(PageId page) const;

  // --- Other programs

  // Another program wants the page during a transaction, at whose end it is to be given up.
  void NoteWanted(PageId page, bool to_read);
  bool HasWanted() const { return !wanted_.empty(); }
  std::vector<ToGiveUp> TakeWanted();
  // Gives the page up, or the permission to write it, if the program holds it. `wanted`: because
  // another program wants the page. Returns whether the page may still be read.
  bool GiveUp(PageId page, bool keep_read, bool wanted);

  // --- The end of a transaction, in this order

  // Pages that wander from program to program, to be given up wholly.
  std::vector<PageId> TakeWandering();
  struct Ending {
    std::vector<PageId> to_free;  // by Free
    std::vector<ToGiveUp> to_give_up;
  };
  // Pages that others have wanted, or that the transaction has written while others wanted pages.
  // `several`: the program is connected to several servers.
  Ending EndTransaction(bool several);
  void Free(PageId page);
  void ForgetUsed() { used_.clear(); }

  // --- Commits

  // A commit has done this; `version` 0: it is only prepared, until SettlePrepared.
  void NoteCommit(std::span<const PageWrite> writes, uint64_t version);
  // The version of the prepared commit; 0: unknown.
  void SettlePrepared(uint64_t version);
  // A commit met a conflict: the server may have dropped the permission to write its pages.
  void NoteConflict(std::span<const PageWrite> writes);

 private:
  // A page that the transaction has read or written, as the store has it, the transaction's own
  // commit included. Kept only while other programs want pages during transactions.
  struct Used {
    std::unique_ptr<PageRecord> record;
    bool written = false;
    bool prepared = false;  // written, and the version is not known yet
  };
  // A page that other programs wanted during transactions. At the end of each of the next
  // transactions the page becomes free, or is given up, without being wanted again.
  struct Contended {
    bool drop = false;
    uint64_t written_by = 0;  // the last commit that has written the page
    int transactions = 0;     // that are left
    int span = 0;             // how many there were at first
  };

  bool IsUsed(PageId page) const {
    return held_.contains(page.number) || needed_.contains(page.number);
  }
  // Null: others do not want the page.
  const Contended* ContendedAt(PageId page) const;
  void NoteWritten(const PageWrite& write, uint64_t version);

  std::unordered_map<uint64_t, bool> held_;  // page -> whether it may be written
  ReadAhead prefetched_;
  std::set<uint64_t> on_the_way_;
  std::multiset<uint64_t> needed_;   // once for each request
  int allocations_ = 0;              // requests without an answer yet
  std::map<uint64_t, bool> wanted_;  // to give up when the transaction ends -> wholly
  std::unordered_map<uint64_t, Used> used_;
  std::unordered_set<uint64_t> free_writable_;  // free, and granted for writing
  WanderingPages wandering_;
  // Pages that this program has been given new: new objects are put there, or have their homes
  // there.
  std::unordered_set<uint64_t> allocated_;
  std::map<uint64_t, Contended> contended_;
  uint64_t commits_ = 0;  // of this program to the database
};

}  // namespace tenure::store
