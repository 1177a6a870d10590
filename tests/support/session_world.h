// One process with a heap and a session, for tests of databases, over a store in a directory of its
// own.
#pragma once

#include <memory>
#include <string>

#include "stabilize/session/session.h"
#include "store/faults/linked_faults.h"
#include "store/server/store_faults.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/persistent_types.h"
#include "tests/support/test_heap.h"

namespace tenure::testing {

class SessionWorld {
 public:
  SessionWorld(stabilize::FaultTier tier, store::PageServerKind server);
  // At a path that the caller gives.
  SessionWorld(stabilize::FaultTier tier, store::PageServerKind server, const std::string& path);
  ~SessionWorld();

  // A new process: a new heap and session. Nothing is open.
  void Start(store::FailPoint fail = {}, stabilize::ProgramTypes types = kPersistentTypes,
             const abi::ProgramInfo* program = nullptr);
  // Ends the process.
  void Stop();
  // Fail the test on an error. The opened database is then `database`.
  void Create(const std::string& name = "main");
  void Open(const std::string& name = "main");
  // Close and Open in this process; references to the database are dropped.
  void Reopen();

  uint64_t Begin();
  void Commit(uint64_t transaction);
  abi::Ref Root();
  void SetRoot(abi::Ref object);

  // Objects with the given word, without references.
  abi::Ref NewCell(uint64_t word, size_t edges);
  abi::Ref NewHolder(uint64_t word);
  // Commits a root that refers to objects of many sizes, some of which refer to it, on many pages,
  // the last one on several.
  void CommitManyPages();
  // `cell` is read after `to` has been made, which may move it.
  static void SetEdge(const abi::Ref& cell, size_t edge, abi::Ref to);
  static abi::Ref Edge(abi::Ref cell, size_t edge) { return *SlotOf(cell, kCellFirstEdge + edge); }
  // A fresh exact root; stays valid until Start.
  abi::Ref& Keep(abi::Ref object);
  void Pin(abi::Ref object);
  // Commits a displaced root of word 10, and a transient object of word 20 beside it. Both
  // are pinned.
  void MakeRootAndNeighbour(abi::Ref* root, abi::Ref* neighbour);
  void ClearRoots() { heap->ClearRoots(); }
  void CollectMinor();
  void CollectMajor();

  // All objects that the root reaches, in the open transaction, as a text that is equal for equal
  // graphs in any places. With `transient`, TRANSIENT references too.
  std::string Snapshot(bool transient = true);

  const std::string& path() const { return path_; }

  stabilize::RecoveryPolicy recovery = stabilize::RecoveryPolicy::kDiff;  // for Start
  uint64_t recovery_block = 64;                                           // for Start
  uint64_t frame_bytes = 0;  // SessionOptions::frame_bytes from the next Start on
  uint64_t twin_bytes = 0;   // SessionOptions::twin_bytes likewise
  bool paranoid = false;     // SessionOptions::paranoid, too
  std::shared_ptr<const store::StoreFaults> faults;         // of later Starts without a fail point
  abi::StoreBarriers barriers = abi::StoreBarriers::kTrap;  // and these two
  bool paranoid_barriers = false;
  std::unique_ptr<gc::TestHeap> heap;
  std::unique_ptr<stabilize::Session> session;
  stabilize::Database* database = nullptr;

 private:
  void VerifyAll();

  const stabilize::FaultTier tier_;
  const store::PageServerKind server_;
  std::unique_ptr<TemporaryDirectory> directory_;
  std::string path_;
  std::string name_ = "main";
};

}  // namespace tenure::testing
