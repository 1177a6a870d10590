// Everything that a session knows: a plain struct below the operations of stabilize/. The functions
// that take it expect that their caller holds `lock`, unless their contract says otherwise.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "abi/program.h"
#include "base/mutex.h"
#include "base/process_memory.h"
#include "gc/heap.h"
#include "gc/persistent_space.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/displaced.h"
#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/governed_pages.h"
#include "stabilize/frames/page_frames.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/commit_reports.h"
#include "stabilize/state/commit_state.h"
#include "stabilize/state/database.h"
#include "stabilize/state/frame_allowance.h"
#include "stabilize/state/missing_targets.h"
#include "stabilize/state/open_transactions.h"
#include "stabilize/state/ordered_commits.h"
#include "stabilize/state/requests_under_way.h"
#include "stabilize/state/resident_clock.h"
#include "stabilize/state/session_lock.h"
#include "stabilize/state/session_options.h"
#include "stabilize/state/twin_order.h"
#include "stabilize/state/type_catalog.h"
#include "store/files/spill_file.h"
#include "store/format/page_codec.h"
#include "store/server/page_server.h"

namespace tenure::stabilize {

struct SessionState {
  // `heap_used` and `program` outlive the state; `program_types` are the program's, by typecode.
  SessionState(gc::Heap& heap_used, const abi::ProgramInfo* program, ProgramTypes program_types,
               const SessionOptions& chosen)
      : heap(heap_used),
        options(chosen),
        types(program_types),
        type_addresses(program_types.begin(), program_types.end()),
        procedures(program),
        governed(CreateHeapProtection(chosen.mapping.tier)),
        leaves_open(chosen.barriers == abi::StoreBarriers::kSoftware && !chosen.paranoid_barriers &&
                    chosen.cluster == ClusterOrder::kBreadth),
        reports(chosen.commit_report) {
    if (chosen.memory_bytes != 0) {
      overflow.emplace(kChunkBytes, [this]() -> std::shared_ptr<std::byte> {
        // While the process has memory, the table grows there.
        if (AnonymousBytes() <= options.memory_bytes / 2) return nullptr;
        auto* const chunk = static_cast<std::byte*>(spill.MapScratch(kChunkBytes));
        if (chunk == nullptr) return nullptr;
        return {chunk, [](std::byte* begin) { SpillFile::UnmapScratch(begin, kChunkBytes); }};
      });
    }
    allowance.SetLimit(chosen.frame_bytes != 0 ? chosen.frame_bytes : UINT64_MAX);
    uint64_t most_encoded = allowance.limit() / 4;
    if (chosen.memory_bytes != 0) most_encoded = std::min(most_encoded, chosen.memory_bytes / 64);
    if (most_encoded < UINT64_MAX / 4) commits.arena().SetLimit(most_encoded);
  }

  bool in_transaction() const { return open.any(); }
  bool in_read_only() const { return open.are_read_only(); }
  uint16_t depth() const { return open.depth(); }
  // The database, open or closed, whose frames have the address; null for none.
  Database* DatabaseAt(const void* address) const {
    for (const auto& database : databases) {
      if (database->Contains(address)) return database.get();
    }
    return nullptr;
  }

  gc::Heap& heap;
  const SessionOptions options;
  const ProgramTypes types;
  const std::unordered_set<const void*> type_addresses;  // of `types`
  ProcedureNames procedures;
  mutable SessionLock lock;

  // Answers page servers and the collector. Both outlive the state's use.
  CallbackListener* listener = nullptr;
  gc::PersistentSpace* persistent_space = nullptr;
  bool joined_heap = false;  // the heap has persistent_space

  std::vector<std::unique_ptr<OpenStoreState>> stores;
  // Closed databases stay: their addresses are not used again.
  std::vector<std::unique_ptr<Database>> databases;
  DisplacedObjects displaced;
  GovernedPages governed;
  MissingTargets missing;
  SpillFile spill;
  std::optional<BlockOverflow> overflow;  // of tables; while memory is bounded

  OpenTransactions open;
  bool collecting = false;  // frames must not change
  RequestsUnderWay requests;

  // Scratch of reading pages, kept for its memory.
  std::vector<FoundReference> found;
  std::vector<PageReply> replies;
  uint64_t expected = 0;  // objects that frames expect (Frame::expected); may be too high

  ResidentClock clock;
  FrameAllowance allowance;
  TwinOrder twin_order;
  // Some pages of displaced objects could not be protected: no other thread may run until these
  // objects have moved home.
  bool mappings_short = false;

  // Commits leave frames open (stabilize/state/store_marks.h), until the first child transaction.
  bool leaves_open;

  CommitState commits{spill};
  OrderedCommits ordered;
  SessionStatistics counters;  // syncs and largest_group: of servers that were closed
  CommitReports reports;
};

}  // namespace tenure::stabilize
