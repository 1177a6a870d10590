// Everything that a session knows: a plain struct below the operations of stabilize/. The functions
// that take it expect that their caller holds `lock`, unless their contract says otherwise.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <array>
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
#include "stabilize/state/database.h"
#include "stabilize/state/encode_arena.h"
#include "stabilize/state/frame_allowance.h"
#include "stabilize/state/missing_targets.h"
#include "stabilize/state/ordered_commits.h"
#include "stabilize/state/read_only_transactions.h"
#include "stabilize/state/requests_under_way.h"
#include "stabilize/state/resident_clock.h"
#include "stabilize/state/session_lock.h"
#include "stabilize/state/session_options.h"
#include "stabilize/state/transaction_level.h"
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
    if (most_encoded < UINT64_MAX / 4) arena.SetLimit(most_encoded);
  }

  bool in_transaction() const { return !levels.empty(); }
  // Whether the open transaction is that of `readers`. Also when a trap has aborted it.
  bool in_read_only() const { return in_transaction() && levels.front().read_only; }
  // For callers that are not threads of a program.
  static constexpr uint64_t kWhicheverIsOpen = ~uint64_t{0};
  // Whether a thread whose top-level transaction was this one still works in it.
  bool IsOpenTop(uint64_t top) const {
    if (top == kWhicheverIsOpen) return in_transaction();
    return in_transaction() && !in_read_only() ? levels.front().serial == top : readers.HasTop(top);
  }
  // The depth of nesting: 0 in a top-level transaction. Only in a transaction.
  uint16_t depth() const { return static_cast<uint16_t>(levels.size() - 1); }
  // Called after each change of `levels` or `readers`.
  void NoteOpen() {
    const uint64_t first = !readers.empty() ? 0
                           : levels.empty() ? kNoneOpen
                                            : levels.front().serial;
    if (first_open.load(std::memory_order_relaxed) != first) first_open.store(first);
  }
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

  std::vector<TransactionLevel> levels;  // open transactions, the top-level one first
  // While read-only transactions are open, `levels` has one level for all of them, unless they are
  // aborted.
  ReadOnlyTransactions readers;
  uint64_t last_transaction = 0;  // serial number
  // No open transaction has a lower serial number. Read without the lock; NoteOpen.
  static constexpr uint64_t kNoneOpen = ~uint64_t{0};
  std::atomic<uint64_t> first_open = kNoneOpen;
  // Whether ended_by_failure has any. Read without the lock.
  std::atomic<bool> any_ended_by_failure = false;
  // The open transactions are over, and their writes are still in memory until FinishAbort.
  std::atomic<bool> abort_pending = false;
  // The transactions that CloseAfterLostCommit has ended last, the top-level one first.
  std::vector<uint64_t> ended_by_failure;
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

  // Of commits.
  EncodeArena arena{spill};
  // Words of twins that the commit in progress has changed, by two threads; kept for their memory.
  std::array<std::vector<TwinWord>, 2> twins_before;
  CommitId last_commit_id;  // that was sent
  OrderedCommits ordered;
  // The failure of a commit beside other threads: the next operation with the world stopped, Commit
  // of the same transaction, rolls back.
  std::optional<Status> failed_beside_others;
  // Such a commit has protected the dirty frames, and has left them to that operation. A trap may
  // have opened some of them since.
  bool protected_beside_others = false;
  // Not ok: memory contains a commit that the store may lack; the status says why. The databases
  // will be closed (CloseAfterLostCommit).
  Status lost_commit;
  SessionStatistics counters;  // syncs and largest_group: of servers that were closed
  CommitReports reports;
};

}  // namespace tenure::stabilize
