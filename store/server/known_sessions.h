// A served store's knowledge of programs that may come again with references to its objects.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string_view>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class KnownSessions {
 public:
  struct Entered {
    uint64_t place = 0;   // tells the program from others
    Uuid serving;         // what the program names when it comes again
    int descriptor = -1;  // a file that it keeps open as long as it may come again; the caller's
    // It is the program that it was before, at the same place, and has references from then.
    bool again = false;
  };

  virtual ~KnownSessions() = default;
  // Whether all references that a program may hold are still valid if the program was told this
  // serving; `version` is the highest that the program has seen.
  virtual bool MayComeAgain(const Uuid& serving, uint64_t version) = 0;
  // A program has connected. `process` 0: unknown; `name`: for messages. `earlier`: the serving
  // that it was told when it was connected last; all zero: it was not.
  virtual Result<Entered> Enter(pid_t process, std::string_view name, const Uuid& earlier) = 0;
  // A connection of the program at this place is over. `for_good`: the program has closed the
  // store, and holds nothing of it any more.
  virtual void Leave(uint64_t place, bool for_good) = 0;
  // kInUse while a program whose place is not among `here` may come again.
  virtual Status CheckNobodyAway(const std::set<uint64_t>& here) = 0;
  // Programs that were not asked for their references must begin anew from now on.
  virtual Status ForgetOthers() = 0;
};

}  // namespace tenure::store
