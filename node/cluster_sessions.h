// Programs that may come again to a store of a cluster.
//
// A store of a cluster is never collected while it is served, so that no object that a program
// refers to becomes another one, whichever node leads the store: programs may always come again, to
// every leader, unless they have seen a commit that the store does not have.
#pragma once

#include <atomic>
#include <set>

#include "store/server/known_sessions.h"

namespace tenure::node {

// Any thread.
class ClusterSessions final : public store::KnownSessions {
 public:
  // `store` outlives it.
  explicit ClusterSessions(const store::PageServer& store)
      : store_(store), serving_(store.store_uuid()) {}

  const store::Uuid& serving() const override { return serving_; }
  bool MayComeAgain(const store::Uuid& serving, uint64_t version) override {
    return serving == serving_ && version <= store_.DurableVersion();
  }
  bool Enter(pid_t, uint64_t* place, int* descriptor) override {
    *place = ++last_place_;
    *descriptor = -1;
    return true;
  }
  Status CheckNobodyAway(const std::set<uint64_t>&) override { return Never(); }
  Status ForgetOthers() override { return Never(); }

 private:
  static Status Never() {
    return Status(StatusCode::kNotSupported,
                  "a store of a cluster cannot be collected while it is served");
  }

  const store::PageServer& store_;
  const store::Uuid serving_;
  std::atomic<uint64_t> last_place_{0};
};

}  // namespace tenure::node
