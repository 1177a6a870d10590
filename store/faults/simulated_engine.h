// A replicated engine in this process: several machines, and faults drawn from a seed. The machine
// that gets changes first is the *primary*. A change is *replicated* when enough other machines
// have it; a failover loses changes that are not.
//
// Each object is a connection to the engine. A run with one seed and the same calls, made by one
// thread, always has the same faults.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/cluster/engine.h"

namespace tenure::store {

// Each is the chance of one call, in thousandths.
struct EngineFaults {
  uint32_t lost_request = 0;      // nothing happens; the answer is "unknown"
  uint32_t late_request = 0;      // the same, but it is carried out during some later call
  uint32_t lost_answer = 0;       // it happens, durably; the answer is "unknown"
  uint32_t lost_replication = 0;  // it happens at the primary only; the answer is "unknown"
  uint32_t failed_request = 0;    // a definite error: nothing happens
  uint32_t failed_read = 0;       // of what changes nothing
  uint32_t failover = 0;          // the primary is lost before the call
};

class SimulatedCluster {
 public:
  explicit SimulatedCluster(uint64_t seed, const EngineFaults& faults = {});
  ~SimulatedCluster();

  // A connection of a node, which keeps the cluster alive.
  static std::unique_ptr<Engine> Connect(const std::shared_ptr<SimulatedCluster>& cluster);

  void SetFaults(const EngineFaults& faults);
  // The primary is lost; another machine, which has all that is replicated and maybe more, follows.
  void FailOver();

  // How often anything of each kind has happened.
  struct Counts {
    uint64_t appends = 0, unknown = 0, fenced = 0, failovers = 0, changes_lost = 0, late = 0;
  };
  Counts counts() const;

 private:
  class Connection;
  struct StoreRow;
  struct Change {  // made at the primary
    Uuid store;
    std::shared_ptr<const StoreRow> before;                      // null: there was none
    std::optional<std::map<std::string, NodeRow>> nodes_before;  // of a change of these
  };

  // These need mutex_.
  bool Happens(uint32_t thousandths);
  uint64_t Random();
  void BeforeCall();
  void LosePrimary();
  // Null: there is no such store.
  const StoreRow* Find(const Uuid& store) const;
  // A copy of the row to change, which becomes the row with Write.
  std::shared_ptr<StoreRow> Copy(const Uuid& store) const;
  void Write(const Uuid& store, std::shared_ptr<const StoreRow> row);
  void WriteNode(const NodeRow& node);
  bool HasPlace(const NodeId& node) const;
  // All changes of the primary are durable.
  void Replicate() { unreplicated_.clear(); }
  // Carries out a request whose answer waits for replication, with the faults of such a request.
  AppendAnswer Request(const std::function<AppendAnswer()>& change);

  mutable Mutex mutex_;
  uint64_t random_;
  EngineFaults faults_;
  std::map<Uuid, std::shared_ptr<const StoreRow>> stores_;  // the primary's
  std::map<std::string, NodeRow> nodes_;                    // the same
  std::vector<Change> unreplicated_;
  std::vector<std::function<AppendAnswer()>> late_;
  Counts counts_;
};

}  // namespace tenure::store
