// The programs that may come again to a served store, with references to its objects: the file
// SESSIONS in the store's directory.
//
// While a program uses a served store it keeps a lock on a byte of the file, through a descriptor
// that the server has made and sent to it. The kernel gives the lock up when the program ends,
// however it ends, and not before, whatever becomes of the server: whoever finds a byte locked
// knows that somebody has places of objects, and finds out who in the byte's offset. The file's
// text says when the store was served: each serving has a name of its own, and the version that the
// store had when it was over. A program that comes again says in which serving it was, and the
// highest version that it has seen; in a store that has been restored from a copy this serving is
// unknown, or was over at an earlier version.
//
// None of it need survive the failure of the machine, which no program survives: nothing is synced.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/files/descriptor.h"
#include "store/server/known_sessions.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread. The caller holds the store's lock.
class StoreSessions final : public KnownSessions {
 public:
  // Opens the file, or makes it. Unreadable contents count as empty.
  static Result<std::unique_ptr<StoreSessions>> Open(const std::string& directory);

  // Notes that the store has been opened, by any process, at this version, without a commit since.
  // The last serving is over, and references from versions beyond it are invalid.
  static Status NoteOpened(const std::string& directory, uint64_t version);
  // kInUse, with its process id or -1, while a program is there that may come again.
  static Status CheckNobodyAway(const std::string& directory);
  // Programs that were served before must begin anew: the places that they refer to may get other
  // objects.
  static Status ForgetServings(const std::string& directory);

  // A serving begins.
  Status StartServing();
  // The name of the current serving: the time during which no place of an object that a program
  // knows gets another object.
  const Uuid& serving() const { return serving_; }
  bool MayComeAgain(const Uuid& serving, uint64_t version) override;
  Status ForgetOthers() override;
  Result<Entered> Enter(pid_t process, std::string_view name, const Uuid& earlier) override;
  // Does nothing: the program's lock says whether it may come again.
  void Leave(uint64_t, bool) override {}

  // A descriptor with a lock, for a program with this process id (0: unknown); *place tells it from
  // others. -1 when there is none to be had. The caller's.
  int Lock(pid_t process, uint64_t* place);
  Status CheckNobodyAway(const std::set<uint64_t>& here) override;

 private:
  struct Serving {
    Uuid id;
    uint64_t end;  // kNow: it goes on
  };

  StoreSessions(std::string path, int fd) : path_(std::move(path)), file_(fd) {}

  // Null when there is no file.
  static Result<std::unique_ptr<StoreSessions>> OpenFile(const std::string& directory, bool make);
  Status Load() TN_REQUIRES(lock_);
  Status Save() TN_REQUIRES(lock_);
  // Places of locks between the two.
  void FindLocks(uint64_t from, uint64_t to, std::vector<uint64_t>* places) const;

  const std::string path_;
  const Descriptor file_;
  Mutex lock_;
  std::vector<Serving> servings_ TN_GUARDED_BY(lock_);  // the last one is the latest
  Uuid serving_;
  uint64_t last_serial_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
