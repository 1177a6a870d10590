#include "lab/recovery/experiments.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "lab/recovery/cell.h"
#include "lab/support/fail.h"
#include "lab/support/lab_store.h"
#include "lab/support/measure.h"

namespace tenure::lab::recovery {

namespace {

constexpr size_t kMegabyte = 1 << 20;

// A scheme with a division of the client's memory between pool and recovery buffer.
struct System {
  const char* name;
  Scheme scheme;
  size_t pool_bytes, recovery_bytes;
};

// 12 MB a client (5.1).
constexpr System kUnconstrained[] = {
    {"PD-ESM", Scheme::kPdEsm, 8 * kMegabyte, 4 * kMegabyte},
    {"SD-ESM", Scheme::kSdEsm, 8 * kMegabyte, 4 * kMegabyte},
    {"SL-ESM", Scheme::kSlEsm, 8 * kMegabyte, 4 * kMegabyte},
    {"PD-REDO", Scheme::kPdRedo, 8 * kMegabyte, 4 * kMegabyte},
    {"WPL", Scheme::kWpl, 12 * kMegabyte, 0},
};
// 8 MB a client (5.2).
constexpr System kConstrained[] = {
    {"PD-ESM", Scheme::kPdEsm, 15 * kMegabyte / 2, kMegabyte / 2},
    {"SD-ESM", Scheme::kSdEsm, 15 * kMegabyte / 2, kMegabyte / 2},
    {"PD-REDO", Scheme::kPdRedo, 15 * kMegabyte / 2, kMegabyte / 2},
    {"WPL", Scheme::kWpl, 8 * kMegabyte, 0},
};
// 12 MB a client (5.3).
constexpr System kForBig[] = {
    {"PD-ESM-1/2", Scheme::kPdEsm, 23 * kMegabyte / 2, kMegabyte / 2},
    {"PD-ESM-4", Scheme::kPdEsm, 8 * kMegabyte, 4 * kMegabyte},
    {"SD-ESM-4", Scheme::kSdEsm, 8 * kMegabyte, 4 * kMegabyte},
    {"PD-REDO-4", Scheme::kPdRedo, 8 * kMegabyte, 4 * kMegabyte},
    {"WPL", Scheme::kWpl, 12 * kMegabyte, 0},
};

// The stores of one run, made when the first cell wants them.
class Stores {
 public:
  explicit Stores(std::string directory) : directory_(std::move(directory)) {}

  struct Made {
    std::unique_ptr<LabStore> folder;
    size_t pages = 0;  // of a module
  };
  const Made& At(Size size, Placement placement) {
    Made& made = made_[{size, placement}];
    if (made.folder == nullptr) {
      made.folder = std::make_unique<LabStore>(directory_);
      made.pages = MakeStore(made.folder->path(), size, placement);
    }
    return made;
  }

 private:
  const std::string directory_;
  std::map<std::pair<Size, Placement>, Made> made_;
};

class Run {
 public:
  explicit Run(const ExperimentOptions& options) : options_(options), stores_(options.directory) {}

  void Small() { Figures("small", kUnconstrained, Size::kSmall, {0, 1, 2}); }
  void Constrained() { Figures("constrained", kConstrained, Size::kSmall, {0, 1}); }
  void Big() { Figures("big", kForBig, Size::kBig, {0, 1}); }

  // On other devices, to see how well the model of the report predicts.
  void Devices() {
    for (const char* device : {"cloud", "1995"}) {
      if (options_.quick && std::string_view(device) == "1995") continue;
      for (const bool groups : {true, false}) {
        for (const System& system : kUnconstrained) {
          if (system.scheme == Scheme::kSdEsm || system.scheme == Scheme::kSlEsm) continue;
          for (const size_t clients : {size_t{1}, kMostClients}) {
            Cell("devices", system, Size::kSmall, Placement::kCreation, Traversal::kT2A, clients,
                 device, groups, 2);
          }
        }
      }
    }
  }

  void Placements() {
    for (const Placement placement : {Placement::kCreation, Placement::kReachability}) {
      for (const System& system : kUnconstrained) {
        for (const size_t clients : {size_t{1}, kMostClients}) {
          Cell("placements", system, Size::kSmall, placement, Traversal::kT2A, clients, "today",
               true, options_.quick ? 4 : 10);
        }
      }
    }
  }

  // The server is killed in the middle of the clients' work, with pools so small that changed pages
  // of open transactions reach their places.
  void Crash() {
    uint64_t after_us = 3000;
    for (const System& system : kUnconstrained) {
      if (!Wanted(system)) continue;
      const int rounds = options_.quick ? 2 : 6;
      uint64_t lost = 0, unseen = 0, wrong = 0;
      for (int round = 0; round < rounds; ++round) {
        LabStore folder(options_.directory);
        const size_t pages = MakeStore(folder.path(), Size::kSmall, Placement::kCreation);
        CellOptions cell = CellOf(system, folder.path(), "today");
        cell.module_pages = pages;
        cell.clients = 3;
        cell.client.pool_pages = 700;
        cell.client.recovery_bytes = 64 * kPageBytes;
        cell.server.pool_pages = 900;
        cell.server.checkpoint_bytes = 4 * kMegabyte;
        const CrashResult result = RunCrash(cell, after_us);
        after_us = after_us * 17 % 60000;
        for (size_t i = 0; i < cell.clients; ++i) {
          lost += result.found[i] < result.acknowledged[i];
          unseen += result.found[i] > result.acknowledged[i] + 1;
        }
        wrong += !result.whole;
      }
      Row row("crash", system.name);
      row.Put("rounds", static_cast<uint64_t>(rounds)).Put("lost", lost).Put("unseen", unseen);
      row.Put("wrong", wrong);
    }
  }

 private:
  bool Wanted(const System& system) const {
    return options_.system.empty() || options_.system == system.name;
  }

  static CellOptions CellOf(const System& system, const std::string& store, const char* device) {
    CellOptions cell;
    cell.store = store;
    cell.client.scheme = system.scheme;
    cell.client.pool_pages = system.pool_bytes / kPageBytes;
    cell.client.recovery_bytes = system.recovery_bytes;
    cell.server.log_device = cell.server.data_device = *DeviceNamed(device);
    cell.server.log_file = store + ".log";
    return cell;
  }

  template <size_t kSystems>
  void Figures(const char* experiment, const System (&systems)[kSystems], Size size,
               const std::vector<int>& traversals) {
    const bool big = size == Size::kBig;
    const uint64_t transactions = big ? (options_.quick ? 1 : 3) : options_.quick ? 4 : 9;
    for (const int traversal : traversals) {
      if (options_.quick && big && traversal != 0) continue;
      for (size_t clients = 1; clients <= kMostClients; ++clients) {
        // A quick run has the ends and the middle, of big modules the ends, for T2A.
        if (options_.quick && (clients % 2 == 0 || (big && clients == 3))) continue;
        for (const System& system : systems) {
          Cell(experiment, system, size, Placement::kCreation, static_cast<Traversal>(traversal),
               clients, "today", true, transactions);
        }
      }
    }
  }

  void Cell(const char* experiment, const System& system, Size size, Placement placement,
            Traversal traversal, size_t clients, const char* device, bool groups,
            uint64_t transactions) {
    if (!Wanted(system) || (options_.clients != 0 && options_.clients != clients)) return;
    const Stores::Made& store = stores_.At(size, placement);
    CellOptions cell = CellOf(system, store.folder->path(), device);
    cell.module_pages = store.pages;
    cell.traversal = traversal;
    cell.clients = clients;
    cell.transactions = transactions;
    cell.server.groups = groups;
    const CellResult result = RunCell(cell);
    const ClientCounters& c = result.first;
    const ServerReport& s = result.server;
    Row row(experiment, system.name);
    row.Put("traversal", kTraversalNames[static_cast<int>(traversal)]);
    row.Put("clients", uint64_t{clients}).Put("device", device);
    row.Put("groups", uint64_t{groups});
    row.Put("placement", placement == Placement::kCreation ? "creation" : "reachability");
    row.Put("transactions", transactions).Put("count", result.count);
    row.Put("sums_right", uint64_t{result.sums_right});
    // The first client's counts, for one transaction.
    row.Put("write_faults", c.write_faults).Put("updates", c.updates);
    row.Put("pages_copied", c.pages_copied).Put("blocks_copied", c.blocks_copied);
    row.Put("early", c.early).Put("most_copied", c.most_copied);
    row.Put("recovery_bytes", uint64_t{system.recovery_bytes});
    row.Put("replaced", c.replaced).Put("read_faults", c.read_faults);
    row.Put("regions", c.regions).Put("client_log_bytes", c.log_bytes);
    row.Put("log_pages", c.log_pages).Put("data_pages", c.data_pages).Put("messages", c.messages);
    // In all transactions: where pages leave a small pool, transactions differ.
    row.Put("all_regions", result.first_regions);
    // The server's counts, for all transactions. Counts that depend on the order of clients differ
    // between runs.
    row.Put("server_log_bytes", s.log_bytes).Put("applied", s.applied);
    row.Put("varying_checkpoint_bytes", s.checkpoint_bytes);
    row.Put("varying_syncs", s.syncs).Put("varying_largest_group", s.largest_group);
    row.Put("varying_data_reads", s.data_reads).Put("varying_data_writes", s.data_writes);
    row.Put("varying_log_reads", s.log_reads).Put("varying_installed", s.installed);
    const auto times = [](const std::vector<double>& elapsed) {
      std::vector<Times> list;
      for (const double us : elapsed) list.push_back({0, us});
      return list;
    };
    row.Put("response", times(result.response)).Put("clients_all", times(result.elapsed));
    row.Put("client", times(result.client_processor));
    row.Put("server", times({result.server_processor}));
  }

  const ExperimentOptions options_;
  Stores stores_;
};

struct Experiment {
  std::string_view name;
  void (Run::*run)();
};

constexpr Experiment kExperiments[] = {
    {"small", &Run::Small},     {"constrained", &Run::Constrained}, {"big", &Run::Big},
    {"devices", &Run::Devices}, {"placements", &Run::Placements},   {"crash", &Run::Crash},
};

}  // namespace

std::vector<std::string_view> ExperimentNames() {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : kExperiments) names.push_back(experiment.name);
  return names;
}

std::vector<std::string> SystemNames() {
  std::vector<std::string> names;
  for (const System& system : kUnconstrained) names.emplace_back(system.name);
  for (const System& system : kForBig) {
    if (std::find(names.begin(), names.end(), system.name) == names.end()) {
      names.emplace_back(system.name);
    }
  }
  return names;
}

bool RunExperiment(std::string_view name, const ExperimentOptions& options) {
  for (const Experiment& experiment : kExperiments) {
    if (experiment.name != name) continue;
    Run run(options);
    (run.*experiment.run)();
    return true;
  }
  return false;
}

}  // namespace tenure::lab::recovery
