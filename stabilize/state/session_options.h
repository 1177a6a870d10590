// The options of a session, and its counters.
#pragma once

#include <cstdint>

#include "abi/program.h"
#include "stabilize/frames/frame_mapping.h"
#include "stabilize/frames/store_names.h"
#include "store/open.h"

namespace tenure::stabilize {

// The order in which a commit gives homes to new objects (@M3cluster=).
enum class ClusterOrder : uint8_t {
  kBreadth,  // as they are reached, with small objects behind the first that refers to them
  kDepth,    // as they are reached, depth-first
  kAlloc,    // by address, which is about the order of allocation
};

// The form in which a commit ships an existing page to the page server, and the file to which the
// server writes it first (@M3recovery=; docs/recovery.md, "Policies"). For policies with a redo log
// the store must be opened with BdbOptions::redo; other kinds of stores put shipped changes into
// their pages at once.
enum class RecoveryPolicy : uint8_t {
  kDiff,    // the changed regions; to the trees
  kWhole,   // the whole page; to the trees
  kPdRedo,  // the changed regions; to the redo log. The server applies them to its pages.
  kPdEsm,   // the changed regions and the page; the regions to the redo log
  kWpl,     // the whole page; to the redo log
  kSd,      // as kPdEsm. Changes are found by blocks that are copied at the first store to them
  kSl,      // as kPdEsm. The regions are the blocks that were stored to
};

constexpr bool HasRedoLog(RecoveryPolicy policy) { return policy >= RecoveryPolicy::kPdRedo; }
// Whether the log gets the whole page.
constexpr bool LogsPages(RecoveryPolicy policy) {
  return policy == RecoveryPolicy::kWhole || policy == RecoveryPolicy::kWpl;
}
// Whether the server gets whole pages.
constexpr bool ShipsPages(RecoveryPolicy policy) {
  return LogsPages(policy) || policy >= RecoveryPolicy::kPdEsm;
}
// Whether changes are found by blocks.
constexpr bool MarksBlocks(RecoveryPolicy policy) {
  return policy == RecoveryPolicy::kSd || policy == RecoveryPolicy::kSl;
}

struct SessionOptions {
  ClusterOrder cluster = ClusterOrder::kBreadth;
  RecoveryPolicy recovery = RecoveryPolicy::kDiff;
  uint64_t recovery_block = 64;  // bytes of a block with kSd and kSl: 8, 16, 32 or 64
  // Memory for frames and twins; 0: no limit. Beyond the limit clean frames are dropped and dirty
  // ones spilled.
  uint64_t frame_bytes = 0;
  // Private memory of the process, frames and twins included; 0: no limit. Frames and twins take
  // what the rest of the process leaves (stabilize/state/memory_budget.h).
  uint64_t memory_bytes = 0;
  // Memory for twins; 0: no limit. Beyond the limit the pages that were opened first are compared
  // early: they are protected again and lose their twins.
  uint64_t twin_bytes = 0;
  // The most pages that are read together when faults run forward, and that one trap opens for
  // writing; whether pages may stay open for writing behind a checkpoint or chain.
  uint64_t pages_read_ahead = 8;
  uint64_t pages_opened_together = 16;
  bool pages_stay_open = true;
  // Each commit writes its report to the standard error (@M3commitreport).
  bool commit_report = false;
  // Check each page as a whole, and where its references lead (@M3paranoiddb).
  bool paranoid = false;
  abi::StoreBarriers barriers = abi::StoreBarriers::kTrap;  // of the program's code
  // With software barriers: no page is left open, and each commit compares the stores that barriers
  // have reported with the changed words (@M3paranoidbarriers).
  bool paranoid_barriers = false;
  // How a thread waits for a page server without the session's lock: calls work(context), and lets
  // others stop the world meanwhile if the thread's state permits that. Null: only work(context).
  void (*while_waiting)(void (*work)(void* context), void* context) = nullptr;
  StoreOptions store;      // kind of page server, cache, fail point; `mode` is not used
  MappingOptions mapping;  // fault tier, random base
};

struct SessionStatistics {
  uint64_t read_faults = 0;
  uint64_t write_faults = 0;  // traps of first writes, to frames and to governed pages
  uint64_t pages_read = 0;
  uint64_t bytes_read = 0;
  uint64_t pages_written = 0;  // whole or in part
  uint64_t bytes_written = 0;
  uint64_t log_bytes = 0;
  uint64_t commits = 0;        // that reached a server
  uint64_t syncs = 0;          // of logs, by commits
  uint64_t largest_group = 0;  // the most commits that one of these syncs made durable
  uint64_t objects_named = 0;  // made persistent
  uint64_t bytes_named = 0;
  uint64_t objects_moved_home = 0;
  uint64_t objects_displaced = 0;  // now
  uint64_t pages_dropped = 0;      // from memory, for lack of it
  uint64_t pages_spilled = 0;
  uint64_t twins_made = 0;             // images before the first write, of pages of databases
  uint64_t twins_compared_early = 0;   // for lack of memory for twins
  uint64_t pages_read_ahead = 0;       // with the page of a fault
  uint64_t pages_opened_together = 0;  // for writing, with the page of a trap
  // Found open for writing and unchanged by a commit.
  uint64_t pages_opened_unwritten = 0;
  uint64_t pages_kept_open = 0;  // behind a checkpoint or chain
  uint64_t clock_steps = 0;      // pages that were looked at to make room for others
  uint64_t pages_governed = 0;   // now
  uint64_t barrier_calls = 0;    // of store barriers
  uint64_t blocks_marked = 0;    // that commits have sent
  uint64_t blocks_copied = 0;    // marked blocks whose former contents were kept (policy sd)
  uint64_t pages_shipped = 0;    // pages that commits sent whole
  uint64_t regions_shipped = 0;  // by commits, of other pages or beside them
  uint64_t missed_barriers = 0;  // words that @M3paranoidbarriers has reported
};

}  // namespace tenure::stabilize
