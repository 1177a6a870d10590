// Programs that may come again to a store of a cluster, whichever node leads it.
//
// When a program connects for the first time it gets a *session*, which is durable in the store's
// log before the program has read anything. It names its session when it comes again. A session
// ends when the program says that it has closed the store, or when a collection or a new program
// finds that it has been away for longer than a timeout; a program whose session has ended must
// open its databases anew. So whoever may come again is known to every leader, and while one is
// away nothing is collected.
//
// A leader counts the time for which a program is away from when it became the leader, or from the
// end of the program's last connection, by its own clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/mutex.h"
#include "store/cluster/cluster_page_server.h"
#include "store/cluster/lease.h"
#include "store/server/known_sessions.h"

namespace tenure::store {

inline constexpr std::chrono::seconds kSessionTimeout(300);

// Any thread.
class ClusterSessions final : public KnownSessions {
 public:
  // `store` outlives it, and gets sessions through this object only. `now`: of a clock that goes on
  // while the machine sleeps.
  explicit ClusterSessions(ClusterPageServer& store, LeaseTime timeout = kSessionTimeout,
                           LeaseTime (*now)() = LeaseNow);

  bool MayComeAgain(const Uuid& serving, uint64_t version) override;
  // When the engine has no space for a new session, the program gets one that this leader alone
  // knows.
  Result<Entered> Enter(pid_t process, std::string_view name, const Uuid& earlier) override;
  void Leave(uint64_t place, bool for_good) override;
  Status CheckNobodyAway(const std::set<uint64_t>& here) override;
  // Does nothing: programs that are away when a collection begins keep it from beginning.
  Status ForgetOthers() override { return Status::Ok(); }

 private:
  // More sessions than this: those that have been away longest end.
  static constexpr size_t kSessionsMost = 16384;

  struct Known {
    uint64_t place = 0;
    std::string program;
    int connections = 0;
    bool over = false;       // the program has said so
    LeaseTime away_since{};  // while there are no connections
  };
  using Place = std::map<Uuid, Known>::iterator;

  // These need lock_.
  bool Expired(const Known& known) const;
  Result<Place> End(Place session) TN_REQUIRES(lock_);
  Status MakeRoom() TN_REQUIRES(lock_);

  ClusterPageServer& store_;
  const LeaseTime timeout_;
  LeaseTime (*const now_)();
  Mutex lock_;
  std::map<Uuid, Known> sessions_ TN_GUARDED_BY(lock_);
  std::map<uint64_t, Uuid> places_ TN_GUARDED_BY(lock_);
  uint64_t last_place_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
