// Pages that several programs write in turns.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "store/format/persistent_ref.h"

namespace tenure::store {

// A page of which a program keeps the permission costs the next program that wants it a callback:
// two messages and a wait. A page that wanders from program to program costs less if each program
// asks for it to write when it first touches it, and gives it up at the end of the transaction.
// This guess is made for each page from what has happened to it. Pages of one database; needs the
// lock of the RemotePageServer.
class WanderingPages {
 public:
  // Another program has wanted a page that this program may write, between transactions or in one.
  void NoteWanted(PageId page);
  // Whether a touch of the page should ask for permission to write.
  bool WillBeWritten(PageId page) const;
  // A touch got permission to write, and the contents of this version. The program gives the page
  // up when the transaction ends, unless no other program has written the page of late.
  void NoteGranted(PageId page, uint64_t version);
  // A commit has written the page.
  void NoteWritten(PageId page, uint64_t version);
  // Called at the end of the transaction: returns the pages to give up.
  std::vector<PageId> TakeGranted();
  // The connection is lost: the program holds nothing.
  void ForgetGranted() { granted_.clear(); }

 private:
  struct Page {
    int wanders = 0;         // rises while others write the page in between, falls while none does
    bool is_written = true;  // by the last transaction that asked for it to write
    uint64_t version = 0;    // that this program has last seen; 0: it has not asked
  };
  // Transactions without another program's write after which a page is kept.
  static constexpr int kWandersMost = 3;

  std::unordered_map<uint64_t, Page> pages_;
  struct Granted {
    PageId page;
    bool is_written = false;
  };
  std::vector<Granted> granted_;  // in this transaction
};

}  // namespace tenure::store
