#include "runtime/start/options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "abi/heap_constants.h"
#include "base/edit_distance.h"
#include "base/machine_limits.h"
#include "gc/heap_limits.h"
#include "stabilize/frames/mapping_quota.h"

namespace tenure::runtime {
namespace {

// The run time itself, and a page server, take a part of this.
constexpr uint64_t kLeastMemory = 16 << 20;
// Texts below say what these are.
static_assert(abi::kPageBytes == 8 << 10);
static_assert(gc::kSmallestHeap == 512 << 10);
static_assert(gc::kSmallestNursery == 128 << 10);
static_assert(gc::kMostCollectorThreads == 8);
static_assert(kLeastDatabaseCache == 1536 << 10);
static_assert(kLeastFrames == 512 << 10);

// Returns null, or the expected form of the value: `otherwise`.
const char* SetSize(std::string_view value, uint64_t& setting, uint64_t least,
                    const char* otherwise) {
  return ParseSize(value, setting) && setting >= least ? nullptr : otherwise;
}

bool ParseNumber(std::string_view text, uint64_t& number) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end && !text.empty();
}

// Sets the choice that the value names.
template <typename Choice>
bool SetOneOf(Choice& setting, std::string_view value,
              std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  for (const auto& [name, choice] : choices) {
    if (value != name) continue;
    setting = choice;
    return true;
  }
  return false;
}

// Each setter returns null, or the expected form of the value.
using Setter = const char* (*)(std::string_view value, Options& options);

struct OptionEntry {
  const char* name;
  const char* value_form;  // null: takes no value
  const char* help;
  Setter set;
};

constexpr OptionEntry kOptions[] = {
    {"gcstress", "N",
     "collect at every Nth allocation and move everything that can move (from 1; default: never)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.gc_stress_interval);
       return good && options.gc_stress_interval > 0 ? nullptr : "a number from 1";
     }},
    {"paranoidgc", nullptr, "verify the heap before and after each collection",
     [](std::string_view, Options& options) -> const char* {
       options.gc_paranoid = true;
       return nullptr;
     }},
    {"memory", "SIZE",
     "the heap, pages of databases, images before changes and the page server's cache together "
     "take "
     "no more than this, from 16M (suffix K, M, G; default: 7/8 of the machine's memory, or what a "
     "control group allows)",
     [](std::string_view value, Options& options) -> const char* {
       static_assert(kLeastMemory == 16 << 20);
       return SetSize(value, options.memory_bytes, kLeastMemory, "a size from 16M, such as 256M");
     }},
    {"maxheap", "SIZE",
     "objects of the heap take no more than this, from 512K (suffix K, M, G; default: @M3memory "
     "less an eighth or 32M, and four times as much while a database is open)",
     [](std::string_view value, Options& options) -> const char* {
       return SetSize(value, options.heap_bytes_max, gc::kSmallestHeap,
                      "a size from 512K, such as 64M");
     }},
    {"gcstats", "json", "print the collector's statistics at exit; =json: as one line of JSON",
     [](std::string_view value, Options& options) -> const char* {
       options.gc_statistics = true;
       options.gc_statistics_json = value == "json";
       return value.empty() || value == "json" ? nullptr : "json, or without a value";
     }},
    {"nogc", nullptr, "never collect",
     [](std::string_view, Options& options) -> const char* {
       options.gc_disabled = true;
       return nullptr;
     }},
    {"nogenerational", nullptr, "every collection is a full one",
     [](std::string_view, Options& options) -> const char* {
       options.gc_generational = false;
       return nullptr;
     }},
    {"noincremental", nullptr, "collect the old generation only as a whole, not in slices",
     [](std::string_view, Options& options) -> const char* {
       options.gc_incremental = false;
       return nullptr;
     }},
    {"gcthreads", "N",
     "threads of a full collection, 1 to 8 (default: as many as processors are allowed)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.gc_threads);
       return good && options.gc_threads > 0 && options.gc_threads <= gc::kMostCollectorThreads
                  ? nullptr
                  : "a number from 1 to 8";
     }},
    {"threads", "kernel|workers[:N]|migrate",
     "what runs threads: a kernel thread each (the default); N workers that switch between them "
     "(as "
     "many as processors are allowed), or workers between which threads move at each switch, for "
     "tests",
     [](std::string_view value, Options& options) -> const char* {
       using Kind = ThreadsMode::Kind;
       const size_t colon = std::min(value.find(':'), value.size());
       bool good = SetOneOf(
           options.threads.kind, value.substr(0, colon),
           {{"kernel", Kind::kKernel}, {"workers", Kind::kWorkers}, {"migrate", Kind::kMigrate}});
       options.threads.workers = 0;
       if (good && colon < value.size()) {
         uint64_t count = 0;
         good = options.threads.kind == Kind::kWorkers &&
                ParseNumber(value.substr(colon + 1), count) && count >= 1 && count <= 256;
         options.threads.workers = static_cast<uint32_t>(count);
       }
       return good ? nullptr : "kernel, workers, workers:N with N from 1 to 256, or migrate";
     }},
    {"nursery", "SIZE",
     "bytes allocated between minor collections, from 128K (suffix K, M, G; default: follows their "
     "work)",
     [](std::string_view value, Options& options) -> const char* {
       return SetSize(value, options.gc_nursery_bytes, gc::kSmallestNursery,
                      "a size from 128K, such as 16M");
     }},
    {"gcpause", "MS",
     "how long a minor collection may take, 1 to 10000 (default: 6, or more where collecting takes "
     "much time)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.gc_pause_ms);
       return good && options.gc_pause_ms > 0 && options.gc_pause_ms <= 10'000
                  ? nullptr
                  : "milliseconds from 1 to 10000";
     }},
    {"gcorder", "hierarchical|breadth",
     "where evacuated objects come to lie: beside what refers to them (the default), or by level",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = SetOneOf(options.gc_order, value,
                                  {{"hierarchical", gc::EvacuationOrder::kHierarchical},
                                   {"breadth", gc::EvacuationOrder::kBreadth}});
       return good ? nullptr : "hierarchical or breadth";
     }},
    {"gcinplace", "auto|always|never",
     "whether young objects become old where they are (auto, the default: when nearly all of them "
     "survive)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = SetOneOf(options.gc_in_place, value,
                                  {{"auto", gc::InPlacePromotion::kWhenMostSurvives},
                                   {"always", gc::InPlacePromotion::kAlways},
                                   {"never", gc::InPlacePromotion::kNever}});
       return good ? nullptr : "auto, always or never";
     }},
    {"gcremember", "card|object",
     "what is remembered where old objects refer to young ones: cards (the default) or the objects",
     [](std::string_view value, Options& options) -> const char* {
       const bool good =
           SetOneOf(options.gc_remembering, value,
                    {{"card", gc::Remembering::kCards}, {"object", gc::Remembering::kObjects}});
       return good ? nullptr : "card or object";
     }},
    {"gctrace", nullptr, "print a line for each collection",
     [](std::string_view, Options& options) -> const char* {
       options.gc_trace = true;
       return nullptr;
     }},
    {"heapsnapshot", "FILE", "write the heap's objects to FILE at exit, for `tenure heap FILE`",
     [](std::string_view value, Options& options) -> const char* {
       options.heap_snapshot = std::string(value);
       return value.empty() ? "the name of a file" : nullptr;
     }},
    {"dbbase", "random",
     "place the frames of databases at random addresses (default: at the same in each run)",
     [](std::string_view value, Options& options) -> const char* {
       options.database_base_random = value == "random";
       return options.database_base_random ? nullptr : "random";
     }},
    {"faults", "uffd|mprotect",
     "how faults of persistent pages are caught (default: the best there is)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = SetOneOf(options.fault_tier, value,
                                  {{"uffd", stabilize::FaultTier::kUserfaultfd},
                                   {"mprotect", stabilize::FaultTier::kMprotect}});
       return good ? nullptr : "uffd or mprotect";
     }},
    {"mappings", "N",
     "with mprotect, protections take at most N of the kernel's mappings, from 64 (default: half "
     "of "
     "vm.max_map_count)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.mappings);
       return good && options.mappings >= stabilize::MappingQuota::kLeast ? nullptr
                                                                          : "a number from 64";
     }},
    {"pageserver", "bdb|memory",
     "where databases are kept: Berkeley DB (the default), or memory (for tests)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = SetOneOf(
           options.page_server, value,
           {{"bdb", store::PageServerKind::kBdb}, {"memory", store::PageServerKind::kMemory}});
       return good ? nullptr : "bdb or memory";
     }},
    {"dbcache", "SIZE",
     "pages of databases, images before changes and the page server's cache take no more than "
     "this, from 1536K (suffix K, M, G; default: what the heap leaves of @M3memory)",
     [](std::string_view value, Options& options) -> const char* {
       return SetSize(value, options.database_cache_bytes, kLeastDatabaseCache,
                      "a size from 1536K, such as 64M");
     }},
    {"frames", "SIZE",
     "pages of databases and their images before changes take no more than this, from 512K "
     "(suffix K, M, G; default: 3/4 of @M3dbcache, or what the heap leaves of @M3memory)",
     [](std::string_view value, Options& options) -> const char* {
       return SetSize(value, options.frame_bytes, kLeastFrames, "a size from 512K, such as 64M");
     }},
    {"twins", "SIZE",
     "images before changes take no more than this, from 8K: pages that were opened first are "
     "compared before the commit (suffix K, M, G; default: no limit but that of @M3frames)",
     [](std::string_view value, Options& options) -> const char* {
       return SetSize(value, options.twin_bytes, abi::kPageBytes, "a size from 8K, such as 4M");
     }},
    {"readahead", "N", "pages that are read together when faults run forward, 1 to 64 (default: 8)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.pages_read_ahead);
       return good && options.pages_read_ahead >= 1 && options.pages_read_ahead <= 64
                  ? nullptr
                  : "a number from 1 to 64";
     }},
    {"opentogether", "N", "the most pages that one trap opens for writing, 1 to 64 (default: 16)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.pages_opened_together);
       return good && options.pages_opened_together >= 1 && options.pages_opened_together <= 64
                  ? nullptr
                  : "a number from 1 to 64";
     }},
    {"stayopen", "on|off",
     "whether pages that two commits have changed stay open for writing behind a checkpoint or "
     "chain (default: on)",
     [](std::string_view value, Options& options) -> const char* {
       return SetOneOf(options.pages_stay_open, value, {{"on", true}, {"off", false}})
                  ? nullptr
                  : "on or off";
     }},
    {"oneprocessor", "on|off",
     "whether threads whose short transactions follow each other closely stay on one processor "
     "(default: on)",
     [](std::string_view value, Options& options) -> const char* {
       return SetOneOf(options.shares_processor, value, {{"on", true}, {"off", false}})
                  ? nullptr
                  : "on or off";
     }},
    {"recovery", "pd-redo|pd-esm|wpl|sd|sl|diff|whole",
     "what a commit records: changed regions in a log (pd-redo, the default; pd-esm, sd and sl "
     "give "
     "the page server the page as well), whole pages in a log (wpl), or in the databases changed "
     "regions (diff) or pages (whole); sd and sl find changes by blocks, in programs built with "
     "--barriers=software",
     [](std::string_view value, Options& options) -> const char* {
       using enum stabilize::RecoveryPolicy;
       const bool good = SetOneOf(options.recovery, value,
                                  {{"pd-redo", kPdRedo},
                                   {"redo", kPdRedo},
                                   {"pd-esm", kPdEsm},
                                   {"wpl", kWpl},
                                   {"sd", kSd},
                                   {"sl", kSl},
                                   {"diff", kDiff},
                                   {"whole", kWhole}});
       return good ? nullptr : "pd-redo (or redo), pd-esm, wpl, sd, sl, diff or whole";
     }},
    {"block", "N", "bytes of a block with @M3recovery=sd or sl: 8, 16, 32 or 64 (default: 64)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = ParseNumber(value, options.recovery_block);
       const uint64_t n = options.recovery_block;
       return good && (n == 8 || n == 16 || n == 32 || n == 64) ? nullptr : "8, 16, 32 or 64";
     }},
    {"cluster", "breadth|depth|alloc",
     "the order in which a commit gives new objects their places (default: breadth)",
     [](std::string_view value, Options& options) -> const char* {
       const bool good = SetOneOf(options.cluster, value,
                                  {{"breadth", stabilize::ClusterOrder::kBreadth},
                                   {"depth", stabilize::ClusterOrder::kDepth},
                                   {"alloc", stabilize::ClusterOrder::kAlloc}});
       return good ? nullptr : "breadth, depth or alloc";
     }},
    {"paranoiddb", nullptr,
     "check where all references of each page lead when it is read, and checksums at commits",
     [](std::string_view, Options& options) -> const char* {
       options.database_paranoid = true;
       return nullptr;
     }},
    {"paranoidbarriers", nullptr,
     "with --barriers=software: report changes of persistent objects that no store barrier told",
     [](std::string_view, Options& options) -> const char* {
       options.barriers_paranoid = true;
       return nullptr;
     }},
    {"commitreport", nullptr, "print what each commit did",
     [](std::string_view, Options& options) -> const char* {
       options.commit_report = true;
       return nullptr;
     }},
    {"describetypes", "FILE", "write the program's types to FILE for tenure db, and end",
     [](std::string_view value, Options& options) -> const char* {
       options.describe_types = value;
       return value.empty() ? "a file" : nullptr;
     }},
    {"help", nullptr, "print this list and end",
     [](std::string_view, Options& options) -> const char* {
       options.help = true;
       return nullptr;
     }},
};

// Flags of programs that are linked with faults (tenure build --faults).
constexpr OptionEntry kOptionsForTests[] = {
    {"dbfail", "POINT:N", "fail, for tests, at the Nth operation of a kind; the points are below",
     [](std::string_view value, Options& options) -> const char* {
       auto faults = store::LinkedFaultOption()->parse(value);
       if (!faults.ok()) return "a point that @M3help lists and N from 1";
       options.database_faults = *std::move(faults);
       return nullptr;
     }},
};

// All options of this program.
std::vector<OptionEntry> AllOptions() {
  std::vector<OptionEntry> all(std::begin(kOptions), std::end(kOptions));
  if (store::LinkedFaultOption() != nullptr) {
    all.insert(all.end(), std::begin(kOptionsForTests), std::end(kOptionsForTests));
  }
  return all;
}

}  // namespace

bool ParseSize(std::string_view text, uint64_t& bytes) {
  unsigned shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': shift = 10; break;
      case 'm':
      case 'M': shift = 20; break;
      case 'g':
      case 'G': shift = 30; break;
      default: break;
    }
    if (shift != 0) text.remove_suffix(1);
  }
  uint64_t number = 0;
  if (!ParseNumber(text, number) || number == 0 || number > (UINT64_MAX >> 1 >> shift))
    return false;
  bytes = number << shift;
  return true;
}

uint64_t MemoryOf(const Options& options) {
  if (options.memory_bytes != 0) return options.memory_bytes;
  // A control group's limit leaves out the needs of the rest of the machine. In a large transaction
  // the process exceeds the memory that it is meant to take by up to 20 MB, and the tables of the
  // system and dirty pages of files count as well; a process that reaches the limit is killed.
  constexpr uint64_t kForTheRest = 32 << 20;
  const uint64_t bytes = MemoryBytes();
  return MemoryIsLimited() ? bytes - std::min(bytes / 2, kForTheRest) : bytes / 8 * 7;
}

OptionVerdict ParseOption(std::string_view word, Options& options, std::string& error) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  for (const OptionEntry& entry : AllOptions()) {
    if (name != entry.name) continue;
    const bool has_value = equals != std::string_view::npos;
    const char* expected = nullptr;
    if (entry.value_form == nullptr) {
      if (has_value) {
        error = "@M3" + std::string(name) + " takes no value";
        return OptionVerdict::kBad;
      }
      expected = entry.set({}, options);
    } else {
      expected = entry.set(has_value ? word.substr(equals + 1) : std::string_view(), options);
    }
    if (expected == nullptr) return OptionVerdict::kTaken;
    error = "bad value in @M3" + std::string(word) + ": expected @M3" + std::string(name) + "=" +
            entry.value_form + " with " + expected;
    return OptionVerdict::kBad;
  }
  return OptionVerdict::kUnknown;
}

std::string OptionMeant(std::string_view word) {
  const auto lower = [](std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
  };
  const std::string name = lower(word.substr(0, word.find('=')));
  const std::vector<OptionEntry> all = AllOptions();
  const OptionEntry* nearest = nullptr;
  size_t nearest_distance = 0;
  for (const OptionEntry& entry : all) {
    const std::string_view known = entry.name;
    // One slip in a short name, two in a long one: more is another name.
    const size_t most = known.size() < 5 ? 1 : 2;
    const size_t distance = EditDistance(name, known);
    if (distance > most || (nearest != nullptr && distance >= nearest_distance)) continue;
    nearest = &entry;
    nearest_distance = distance;
  }
  return nearest == nullptr ? std::string() : std::string("@M3") + nearest->name;
}

std::string OptionsHelp() {
  std::string text = "Flags of the run time, as arguments or as words of TENURE_OPTIONS:\n";
  for (const OptionEntry& entry : AllOptions()) {
    std::string form = std::string("@M3") + entry.name;
    if (entry.value_form != nullptr) form += std::string("=") + entry.value_form;
    constexpr size_t kColumn = 26;
    form.resize(form.size() < kColumn ? kColumn : form.size() + 1, ' ');
    text += "  " + form + entry.help + "\n";
  }
  if (const store::FaultOption* const faults = store::LinkedFaultOption()) {
    text += "Points of @M3dbfail:\n" + faults->help();
  }
  return text;
}

}  // namespace tenure::runtime
