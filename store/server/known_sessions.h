// What a served store knows of programs that may come again with references to what is in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class KnownSessions {
 public:
  virtual ~KnownSessions() = default;
  // Names the time in which nothing that a program has may become something else.
  virtual const Uuid& serving() const = 0;
  // Whether nothing that this program may have has been given to others: it was in this serving,
  // and `version` is the highest that it has seen.
  virtual bool MayComeAgain(const Uuid& serving, uint64_t version) = 0;
  // A program has come (process 0: unknown); *place tells it from others. *descriptor, or -1, is a
  // file that the program keeps open as long as it may come again; the caller's. False: the
  // program cannot be noted.
  virtual bool Enter(pid_t process, uint64_t* place, int* descriptor) = 0;
  // kInUse while a program may come again whose place is not among `here`.
  virtual Status CheckNobodyAway(const std::set<uint64_t>& here) = 0;
  // Nobody of an earlier serving may come again.
  virtual Status ForgetOthers() = 0;
};

}  // namespace tenure::store
