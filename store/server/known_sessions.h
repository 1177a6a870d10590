// A served store's knowledge of programs that may come again with references to its objects.
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
  // The name of the current serving: the time during which no place of an object that a program
  // knows gets another object.
  virtual const Uuid& serving() const = 0;
  // Whether all references that this program may hold are still valid: it was served in this
  // serving, and `version` is the highest that it has seen.
  virtual bool MayComeAgain(const Uuid& serving, uint64_t version) = 0;
  // A program has come (process 0: unknown); *place tells it from others. *descriptor, or -1, is a
  // file that the program keeps open as long as it may come again; the caller's. False: the
  // program cannot be noted.
  virtual bool Enter(pid_t process, uint64_t* place, int* descriptor) = 0;
  // kInUse while a program may come again whose place is not among `here`.
  virtual Status CheckNobodyAway(const std::set<uint64_t>& here) = 0;
  // Programs of earlier servings must begin anew from now on.
  virtual Status ForgetOthers() = 0;
};

}  // namespace tenure::store
