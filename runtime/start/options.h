// Flags of the run time. They are arguments of the form @M3name or @M3name=value, removed before
// the program sees its arguments, and words of the environment variable TENURE_OPTIONS (written
// with or without the @M3). runtime/start/arguments.h says what becomes of flags that are not known
// here. docs/flags.md describes all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gc/options.h"
#include "runtime/threads/threads_mode.h"
#include "stabilize/frames/frame_mapping.h"
#include "stabilize/session/session.h"
#include "store/open.h"

namespace tenure::runtime {

// The least memory that databases need: for the page server's cache, and for frames and twins.
inline constexpr uint64_t kLeastServerCache = 1 << 20;
inline constexpr uint64_t kLeastFrames = 512 << 10;
inline constexpr uint64_t kLeastDatabaseCache = kLeastServerCache + kLeastFrames;

struct Options {
  uint64_t gc_stress_interval = 0;  // collect at every Nth allocation; 0: never because of this
  bool gc_paranoid = false;         // verify the heap around each collection
  bool gc_statistics = false;       // print them at exit
  bool gc_statistics_json = false;  // as one line of JSON
  bool gc_trace = false;            // a line for each collection
  std::string heap_snapshot;        // write one to this file at exit; empty: none
  bool gc_disabled = false;         // no collection at all
  bool gc_generational = true;      // false: only major collections
  bool gc_incremental = true;       // false: the old generation is only collected as a whole
  gc::EvacuationOrder gc_order = gc::EvacuationOrder::kHierarchical;
  gc::InPlacePromotion gc_in_place = gc::InPlacePromotion::kWhenMostSurvives;
  gc::Remembering gc_remembering = gc::Remembering::kCards;
  ThreadsMode threads;
  uint64_t gc_threads = 0;        // of a full collection; 0: as the machine has processors
  uint64_t gc_nursery_bytes = 0;  // 0: follows the work of minor collections
  uint64_t gc_pause_ms = 0;       // which then take no longer; 0: 6, and throughput counts
  uint64_t heap_bytes_max = 0;    // 0: a part of memory_bytes
  uint64_t memory_bytes = 0;      // of the process; 0: what the machine or its container has
  bool database_base_random = false;
  stabilize::FaultTier fault_tier = stabilize::FaultTier::kChoose;
  uint64_t mappings = 0;  // of the kernel's, for protections; 0: the default
  store::PageServerKind page_server = store::PageServerKind::kBdb;
  std::shared_ptr<const store::StoreFaults> database_faults;  // null: none
  uint64_t database_cache_bytes = 0;                          // 0: a part of memory_bytes
  uint64_t frame_bytes = 0;       // pages of databases with their twins; 0: what is left
  uint64_t twin_bytes = 0;        // 0: no limit of their own
  uint64_t pages_read_ahead = 8;  // together, when faults run forward
  uint64_t pages_opened_together = 16;
  bool pages_stay_open = true;   // behind a checkpoint or chain
  bool shares_processor = true;  // threads whose short transactions follow each other closely
  stabilize::ClusterOrder cluster = stabilize::ClusterOrder::kBreadth;
  stabilize::RecoveryPolicy recovery = stabilize::RecoveryPolicy::kPdRedo;
  uint64_t recovery_block = 64;    // bytes, of the policies sd and sl
  bool barriers_paranoid = false;  // compare the stores that barriers report with the changed words
  bool database_paranoid = false;  // check where the references of each page lead
  bool commit_report = false;      // print the figures of each commit
  std::string describe_types;      // write the program's types to this file, and end
  bool help = false;
};

enum class OptionVerdict { kTaken, kUnknown, kBad };

// Takes one flag, given without its @M3, into `options`. kUnknown: no such flag, nothing changed.
// kBad: the value is wrong; `error` then says why in one line.
OptionVerdict ParseOption(std::string_view word, Options& options, std::string& error);

// The flag, with its @M3, that was probably meant by `word` (a flag without its @M3 that
// ParseOption does not know): the same letters in other capitals, or a slip of one or two. Empty:
// none is near.
std::string OptionMeant(std::string_view word);

// Bytes from "4096", "64K", "2M", "1G" (1024 each; small letters as well). False when malformed,
// zero or too large.
bool ParseSize(std::string_view text, uint64_t& bytes);

// The most memory that the process may take, in bytes: the flag's value; else that of the machine
// or its container, less a reserve for the system.
uint64_t MemoryOf(const Options& options);

// The text that @M3help prints: one line for each flag.
std::string OptionsHelp();

}  // namespace tenure::runtime
