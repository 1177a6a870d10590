#include "dbtool/serve/serve.h"

#include <grp.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/counted_memory.h"
#include "base/ending_signals.h"
#include "base/exit_status.h"
#include "base/machine_limits.h"
#include "base/shown_text.h"
#include "base/terminal_text.h"
#include "commands/advice.h"
#include "commands/table.h"
#include "store/bdb/bdb_page_server.h"
#include "store/directory/recovery.h"
#include "store/files/large_blocks.h"
#include "store/files/spill_file.h"
#include "store/open.h"
#include "store/remote/server_protocol.h"
#include "store/serve/page_service.h"
#include "store/serve/serve_connections.h"
#include "store/server/store_faults.h"
#include "store/server/store_path.h"

namespace tenure::dbtool {

namespace {

using store::BdbPageServer;
using store::PageServer;
using store::PageService;

constexpr const char* kAbout =
    "Serves the store DIR (made if there is none) to the programs of this machine until SIGTERM "
    "or\n"
    "SIGINT comes. Programs that open a database of DIR find the server by themselves;\n"
    "without a server one program at a time can use a store. Prints \"serving DIR\" when it is "
    "ready.";
constexpr const char* kMore =
    "Exit status: 0 ended by a signal, 2 wrong usage, 3 the store cannot be served or has failed.";

int Refuse(const std::string& text) {
  std::fprintf(stderr, "tenure serve: %s\n", ShownText(text).c_str());
  return kExitEnvironment;
}

int WrongUsage(const std::string& problem) {
  std::fprintf(stderr, "tenure serve: %s\nTry 'tenure serve --help'.\n",
               ShownText(problem).c_str());
  return kExitUsage;
}

// The parsed command line.
struct ServeOptions {
  std::string directory, group_name, fail_text, recovery = "pd-redo";
  uint64_t cache_bytes = 0;
  bool log_conflicts = false;
};

void AddOptions(CLI::App& app, ServeOptions& options) {
  app.footer(kMore);
  app.add_option("DIR", options.directory, "the store")->type_name("")->required();
  app.add_option("--group", options.group_name,
                 "members of GROUP may use the store; else only its owner")
      ->option_text("GROUP");
  app.add_option(
         "--cache", options.cache_bytes,
         "memory for pages that were read or are to be written, 1M to 1024G (suffix K, M, G; "
         "default: 64M, or an eighth of what a control group allows)")
      ->option_text("SIZE")
      ->transform([](const std::string& size) {
        const size_t end = size.find_first_not_of("0123456789");
        const std::string unit = end == std::string::npos ? "" : size.substr(end);
        if (end == 0 || (!unit.empty() && unit != "K" && unit != "M" && unit != "G")) {
          throw CLI::ValidationError("'" + size + "' is not a size, such as 256M");
        }
        std::string bytes = size;
        CLI::AsSizeValue(/*kb_is_1000=*/false)(bytes);
        // A smaller cache than 1M would be made larger, and one beyond 1024G smaller, unasked.
        if (!CLI::Range(uint64_t{1} << 20, uint64_t{1} << 40)(bytes).empty()) {
          throw CLI::ValidationError("'" + size + "' is not a size from 1M to 1024G");
        }
        return bytes;
      });
  app.add_flag("--log-conflicts", options.log_conflicts,
               "say on stderr whose transaction is refused what, and why");
  app.add_option(
         "--recovery", options.recovery,
         "what a commit writes first: pd-redo, pd-esm or wpl, to the redo log what the client "
         "ships (its @M3recovery: changed regions, which the server applies; regions and "
         "pages; or whole pages); or diff, to the databases and Berkeley DB's log")
      ->option_text("POLICY")
      ->check(OneOf({"pd-redo", "redo", "pd-esm", "wpl", "diff"}));
  if (store::LinkedFaultOption() != nullptr) {
    app.add_option("--fail", options.fail_text,
                   "a failure, for tests: as @M3dbfail, of the page server")
        ->option_text("POINT:N");
  }
  RefuseEmptyValues(app);
}

}  // namespace

Json ServeTable() {
  ServeOptions options;
  CLI::App app(kAbout, "tenure serve");
  AddOptions(app, options);
  return CommandTable(app);
}

int Serve(const std::vector<std::string>& words) {
  ServeOptions given;
  const auto& [directory, group_name, fail_text, recovery, given_cache_bytes, log_conflicts] =
      given;
  CLI::App app(kAbout, "tenure serve");
  AddOptions(app, given);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    std::fputs(ForTerminal(STDOUT_FILENO, app.help()).c_str(), stdout);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return kExitOk;
    std::fprintf(stderr, "tenure serve: cannot write to standard output\n");
    return kExitEnvironment;
  } catch (const CLI::ParseError& problem) {
    return WrongUsage(DescribeParseError(app, problem));
  }
  if (const store::StorePath split = store::SplitStorePath(directory);
      split.named && std::filesystem::is_directory(split.store)) {
    return WrongUsage("'" + directory +
                      "' names a database; a store is served as a whole: 'tenure "
                      "serve " +
                      split.store + "'");
  }
  std::shared_ptr<const store::StoreFaults> faults;
  if (!fail_text.empty()) {
    auto parsed = store::LinkedFaultOption()->parse(fail_text);
    if (!parsed.ok()) return WrongUsage(parsed.status().text());
    faults = *std::move(parsed);
  }
  const group* members = group_name.empty() ? nullptr : getgrnam(group_name.c_str());
  if (!group_name.empty() && members == nullptr) {
    return Refuse("there is no group '" + group_name + "'");
  }
  const gid_t group_id = members == nullptr ? 0 : members->gr_gid;

  const sigset_t ending = BlockEndingSignals();
  std::signal(SIGXFSZ, SIG_IGN);

  const Result<store::StoreState> found = store::StoreFiles(directory).Examine();
  store::BdbOptions options;
  options.redo = recovery != "diff";
  options.checks_all_sums = true;
  constexpr uint64_t kLeastCache = 1 << 20;
  uint64_t cache_bytes = given_cache_bytes;
  if (cache_bytes == 0) {
    cache_bytes = std::min<uint64_t>(options.cache_bytes, MemoryBytes() / 8);
  }
  // A control group kills what exceeds its limit, and programs send any number of pages at once: a
  // message with a large commit is memory of a nameless file, which the system writes out.
  store::SpillFile message_files;
  std::optional<store::LargeBlocksInFiles> large_messages;
  if (MemoryIsLimited()) {
    message_files.SetDirectory(directory);
    BoundFreeMalloc(MemoryBytes());
    large_messages.emplace(MemoryBytes() / 2, message_files);
  }
  options.cache_bytes = std::max(cache_bytes, kLeastCache);
  // If an operation is to fail, every run must make the same operations: no thread makes some.
  if (faults != nullptr && faults->PlanFileFault()) options.checkpoint_thread = false;
  Result<std::unique_ptr<BdbPageServer>> opened =
      BdbPageServer::Open(directory, store::OpenMode::kOpenOrCreate, options);
  if (!opened.ok()) return Refuse(opened.status().text());
  BdbPageServer& files = **opened;
  std::unique_ptr<PageServer> store = *std::move(opened);
  if (faults != nullptr) store = faults->InFrontOf(std::move(store));
  PageService service(*store, directory);
  files.OnFailure([&service] { service.Fail(); });
  if (log_conflicts) service.LogConflicts();
  if (const Status started = service.Start(); !started.ok()) return Refuse(started.text());
  const std::string socket_path = directory + "/" + store::kSocketName;
  const int listener = store::ListenAtStore(directory);
  if (listener < 0) return Refuse("cannot listen at " + socket_path + ": " + std::strerror(errno));
  if (!group_name.empty() && !store::OpenSocketForGroup(directory, group_id)) {
    const int error = errno;
    static_cast<void>(store::RemoveSocket(directory));
    return Refuse("cannot open " + socket_path + " for group " + group_name + ": " +
                  std::strerror(error));
  }
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC);
  std::printf("serving %s\n", directory.c_str());
  std::fflush(stdout);
  if (found.ok() && *found != store::StoreState::kComplete) {
    std::fprintf(stderr, "tenure serve: there was no store at %s: made one\n", directory.c_str());
  }

  store::ServeConnections(service, directory, listener, signals);
  service.Stop();
  const Status closed = store->Close();
  if (const Status failed = store->failed(); !failed.ok()) {
    return Refuse(std::string(failed.text()) +
                  "; all acknowledged commits are there when the server is started again");
  }
  if (service.failed()) {
    return Refuse(
        "it cannot be told whether a commit is in the store; it can when the server is "
        "started again");
  }
  return closed.ok() ? kExitOk : Refuse(closed.text());
}

}  // namespace tenure::dbtool
