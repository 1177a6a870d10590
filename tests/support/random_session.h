// A random program over one database, and a model of the expected state.
//
// The program's variables are exact roots; it makes objects, stores references and values, changes
// the root, commits, aborts, nests transactions, closes, starts again, collects and pins, in any
// order. The model knows each object by a number that is in the object. After every commit, abort
// and restart all objects that the root and the variables reach must be as in the model, each
// object in one place; after every collection the heap and the frames are verified.
#pragma once

#include <cstdint>
#include <string>

#include "stabilize/session/session.h"

namespace tenure::testing {

struct RandomSessionOptions {
  uint64_t seed = 0;
  int steps = 1000;
  stabilize::FaultTier tier = stabilize::FaultTier::kChoose;
  store::PageServerKind server = store::PageServerKind::kMemory;
  std::string directory;     // an existing directory; the store is made in it
  uint64_t frame_bytes = 0;  // SessionOptions::frame_bytes
  uint64_t twin_bytes = 0;   // SessionOptions::twin_bytes
  stabilize::ClusterOrder cluster = stabilize::ClusterOrder::kBreadth;
  bool failures = false;  // fail points, a random one at each start
};

struct RandomSessionResult {
  std::string wrong;  // empty on success; else the error and its step
  uint64_t commits = 0, aborts = 0, failed_commits = 0, starts = 0, went_home = 0;
  uint64_t child_aborts = 0, pages_dropped = 0, pages_spilled = 0;
};

RandomSessionResult RunRandomSession(const RandomSessionOptions& options);

// Checks the contents of an open database's frames (design.md section 6): every page is tiled;
// every reference is NIL, the start of an object of a frame or of the heap, or one of `literals`; a
// frame that refers to the heap is in the remembered set, with dirty cards where it refers to young
// objects; a clean one refers to displaced and TRANSIENT objects only. Returns an empty text or the
// error.
std::string CheckFrames(gc::Heap& heap, stabilize::Session& session, stabilize::Database& database,
                        const std::vector<abi::Ref>& literals);

}  // namespace tenure::testing
