#include "lab/oo7/program.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "lab/oo7/build.h"
#include "lab/oo7/configurations.h"
#include "lab/oo7/export.h"
#include "lab/oo7/operations.h"
#include "lab/oo7/pointer_heap.h"
#include "lab/oo7/systems.h"
#include "lab/support/arguments.h"
#include "lab/support/fail.h"
#include "lab/support/lab_store.h"
#include "lab/support/usage.h"

namespace tenure::lab::oo7 {

const char kForms[] =
    "  lab oo7 create SYSTEM STORE CONFIGURATION\n"
    "  lab oo7 measure SYSTEM STORE OPERATION one|many [OPTION ...]\n"
    "  lab oo7 export SYSTEM STORE\n"
    "    systems: shore, qs, qs-b, qs-r, e; plain has no store, and a configuration in its place\n"
    "    configurations: small, medium, big; small-x5 has five modules\n"
    "    one transaction for the five iterations of an operation, or many\n"
    "    --pool=PAGES            of the client (qs, qs-b, e; otherwise 1536)\n"
    "    --relocate=PERCENT      of the pages lie elsewhere than before (qs, qs-b; all of qs-r)\n"
    "    --relocate-once         and are written so\n"
    "    --visited=set|marks     how atomic parts are noted (otherwise marks)\n"
    "    --iterators=heap|none   in the transient heap for each node (otherwise none)\n";

namespace {

using RelativeSystem = QuickStoreSystem<false, true>;

constexpr int kIterations = 5;
constexpr int kMostRepeats = 100;      // of an operation in a hot iteration
constexpr uint32_t kCreating = 65536;  // pages of the pool while a store is made

struct Request {
  std::string action, store, operation;
  Configuration configuration;
  bool many = false, visited_set = false, iterators = false;
  SystemOptions options;
};

// `first` is called after the first iteration.
template <class H, class Style, class Chain, class First>
void MeasureIn(const Request& request, const typename H::template Local<Library<H>>& library,
               bool repeated, const Chain& chain, const First& first) {
  using Performed = Operations<H, Style>;
  const int operation = OperationOf(request.operation);
  const auto m = Performed::ModuleAt(library, 0);
  for (int i = 1; i <= kIterations; ++i) {
    const int repeats =
        repeated && !request.many && i > 1 ? std::min(kRepeats[operation], kMostRepeats) : 1;
    const Spent from = Now();
    const int64_t count = Performed::Perform(operation, library, m);
    for (int repeat = 1; repeat < repeats; ++repeat) {
      (void)Performed::Perform(operation, library, m);
    }
    const Spent to = Now();
    Tell("iteration", count, from, to, repeats);
    if (i == 1) first();
    if (request.many && i < kIterations) {
      const Spent before = Now();
      chain();
      Tell("chain", 0, before, Now());
      if (i == 1) first();
    }
  }
}

template <class H, class Chain, class First>
void Measure(const Request& request, const typename H::template Local<Library<H>>& library,
             bool repeated, const Chain& chain, const First& first) {
  if (request.visited_set && request.iterators) {
    MeasureIn<H, PaperStyle<true, true>>(request, library, repeated, chain, first);
  } else if (request.visited_set) {
    MeasureIn<H, PaperStyle<true, false>>(request, library, repeated, chain, first);
  } else if (request.iterators) {
    MeasureIn<H, PaperStyle<false, true>>(request, library, repeated, chain, first);
  } else {
    MeasureIn<H, BareStyle>(request, library, repeated, chain, first);
  }
}

template <class H>
void Write(const typename H::template Local<Library<H>>& library) {
  Exporter<H>::Export(library, [](const std::string& line) { std::puts(line.c_str()); });
}

template <class System>
int RunIn(const Request& request) {
  using H = typename System::Heap;
  const bool create = request.action == "create";
  Spent from = Now();
  const std::unique_ptr<store::PageServer> server =
      OpenStoreAt(request.store, create ? store::OpenMode::kCreate : store::OpenMode::kOpen);
  if (create) {
    SystemOptions options = request.options;
    options.pool_pages = kCreating;
    System system(*server, /*create=*/true, options);
    {
      const typename H::template Local<Library<H>> library =
          Builder<H>::Build(request.configuration);
      system.SetRoot(library);
    }
    system.Commit();
    system.TellCounters("counters");
  } else {
    System system(*server, /*create=*/false, request.options);
    const typename H::template Local<Library<H>> library = system.Root();
    if (request.action == "export") {
      Write<H>(library);
    } else {
      Tell("open", 0, from, Now());
      Measure<H>(
          request, library, System::kRepeats, [&] { system.Commit(); },
          [&] { system.TellCounters("first"); });
      from = Now();
      system.Commit();
      Tell("commit", 0, from, Now());
      system.TellCounters("counters");
    }
  }
  Check(server->Close(), "close the store");
  if (create) Tell("create", request.configuration.all_atomic_parts(), from, Now());
  return 0;
}

int RunPlain(const Request& request) {
  const Spent from = Now();
  Library<PlainHeap>* const library = Builder<PlainHeap>::Build(request.configuration);
  if (request.action == "export") {
    Write<PlainHeap>(library);
    return 0;
  }
  Tell("build", request.configuration.all_atomic_parts(), from, Now());
  Measure<PlainHeap>(request, library, /*repeated=*/true, [] {}, [] {});
  return 0;
}

// The error in the option; empty: none.
std::string TakeOption(const std::string& option, Request* request) {
  if (option.starts_with("--pool=")) {
    if (NumberIn(option, "--pool=", kLeastPool, kMostPool, &request->options.pool_pages)) return {};
    return "--pool takes a number of pages from 10 on";
  }
  if (option.starts_with("--relocate=")) {
    if (NumberIn(option, "--relocate=", 0, 100, &request->options.relocate_percent)) return {};
    return "--relocate takes a number from 0 to 100";
  }
  if (option == "--relocate-once") {
    request->options.relocate_once = true;
  } else if (option == "--visited=set" || option == "--visited=marks") {
    request->visited_set = option == "--visited=set";
  } else if (option == "--iterators=heap" || option == "--iterators=none") {
    request->iterators = option == "--iterators=heap";
  } else {
    return "oo7 has no option " + option;
  }
  return {};
}

}  // namespace

int Run(const std::vector<std::string>& arguments, std::string* wrong) {
  const auto refuse = [&](const std::string& what) {
    *wrong = what;
    return 2;
  };
  Request request;
  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    if (!argument.starts_with("--")) {
      words.push_back(argument);
      continue;
    }
    const std::string fault = TakeOption(argument, &request);
    if (!fault.empty()) return refuse(fault);
  }
  if (words.size() < 3) return refuse("oo7 takes an action, a system and a store");
  request.action = words[0];
  const std::string& system = words[1];
  request.store = words[2];
  const bool plain = system == "plain";
  const size_t expected = request.action == "create"    ? 4
                          : request.action == "measure" ? 5
                          : request.action == "export"  ? 3
                                                        : 0;
  if (expected == 0 || (plain && request.action == "create")) {
    return refuse("oo7 takes create, measure or export; plain has nothing to create");
  }
  if (words.size() != expected) {
    return refuse("oo7 " + request.action + " takes " + std::to_string(expected - 1) +
                  " arguments");
  }
  if (request.action == "create" || plain) {
    const std::string& name = plain ? words[2] : words[3];
    if (!ConfigurationNamed(name, &request.configuration)) {
      return refuse("'" + name + "' is not a configuration: small, medium, big, small-x5 ...");
    }
  }
  if (request.action == "measure") {
    request.operation = words[3];
    const int operation = OperationOf(request.operation);
    if (operation < 0) return refuse("there is no operation " + request.operation);
    const bool frees = operation == kT5 || operation == kInsert || operation == kDelete;
    const bool asks =
        (operation >= kQ1 && operation <= kQ4) || operation == kQ7 || operation == kQ8;
    if ((frees && !plain) || (asks && system == "shore")) {
      return refuse("there is no operation " + request.operation + " of " + system);
    }
    if (words[4] != "one" && words[4] != "many") return refuse("oo7 measure takes one or many");
    request.many = words[4] == "many";
  }
  if (plain) return RunPlain(request);
  if (system == ShoreSystem::kCalled) return RunIn<ShoreSystem>(request);
  if (system == QuickStoreSystem<false>::kCalled) return RunIn<QuickStoreSystem<false>>(request);
  if (system == QuickStoreSystem<true>::kCalled) return RunIn<QuickStoreSystem<true>>(request);
  if (system == RelativeSystem::kCalled) return RunIn<RelativeSystem>(request);
  if (system == EpvmSystem::kCalled) return RunIn<EpvmSystem>(request);
  return refuse("there is no system '" + system + "': shore, qs, qs-b, qs-r, e, plain");
}

}  // namespace tenure::lab::oo7
