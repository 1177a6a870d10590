#include "lab/oo1/program.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "lab/oo1/operations.h"
#include "lab/oo7/pointer_heap.h"
#include "lab/oo7/systems.h"
#include "lab/support/arguments.h"
#include "lab/support/fail.h"
#include "lab/support/lab_store.h"
#include "lab/support/usage.h"

namespace tenure::lab::oo1 {

const char kForms[] =
    "  lab oo1 create SYSTEM LAYOUT STORE\n"
    "  lab oo1 measure SYSTEM LAYOUT STORE lookup|traversal|insert [--pool=PAGES]\n"
    "  lab oo1 measure plain LAYOUT lookup|traversal|insert\n"
    "    systems: shore, qs, qs-b, e; plain has no store\n"
    "    layouts: objects (a connection is an object), parts (connections are in their part)\n"
    "    ten iterations, each with other parts and a commit, and one that repeats the tenth\n";

namespace {

constexpr int kIterations = 10;
constexpr uint32_t kCreating = 65536;  // pages of the pool while a store is made

struct Request {
  bool create = false;
  std::string store;
  Operation operation = Operation::kLookup;
  oo7::SystemOptions options;
};

template <class H, template <class> class PartOf, class Chain>
void Measure(const Request& request, typename H::template Param<Database<H, PartOf<H>>> db,
             const Chain& chain) {
  for (int i = 1; i <= kIterations + 1; ++i) {
    StartRandom(static_cast<uint64_t>(std::min(i, kIterations)));
    seen = 0;
    const Spent from = Now();
    Operations<H, PartOf>::Perform(db, request.operation);
    const Spent to = Now();
    Tell("iteration", seen, from, to);
    chain();
    Tell("chain", 0, to, Now());
  }
}

template <template <class> class PartOf>
int RunPlain(const Request& request) {
  using H = oo7::PlainHeap;
  const Spent from = Now();
  Database<H, PartOf<H>>* const db = Operations<H, PartOf>::Build();
  Tell("build", kParts, from, Now());
  Measure<H, PartOf>(request, db, [] {});
  return 0;
}

template <class System, template <class> class PartOf>
int RunIn(const Request& request) {
  using H = typename System::Heap;
  using Db = Database<H, PartOf<H>>;
  const Spent from = Now();
  const std::unique_ptr<store::PageServer> server = OpenStoreAt(
      request.store, request.create ? store::OpenMode::kCreate : store::OpenMode::kOpen);
  if (request.create) {
    oo7::SystemOptions options = request.options;
    options.pool_pages = kCreating;
    System system(*server, /*create=*/true, options);
    {
      const typename H::template Local<Db> db = Operations<H, PartOf>::Build();
      system.SetRoot(db);
    }
    system.Commit();
    system.TellCounters("counters");
  } else {
    System system(*server, /*create=*/false, request.options);
    const typename H::template Local<Db> db = system.template Root<Db>();
    Tell("open", 0, from, Now());
    Measure<H, PartOf>(request, db, [&] { system.Commit(); });
    system.TellCounters("counters");
  }
  Check(server->Close(), "close the store");
  if (request.create) Tell("create", kParts, from, Now());
  return 0;
}

template <template <class> class PartOf>
int RunWith(std::string_view system, const Request& request, std::string* wrong) {
  using oo7::EpvmSystem;
  using oo7::QuickStoreSystem;
  using oo7::ShoreSystem;
  if (system == "plain") return RunPlain<PartOf>(request);
  if (system == ShoreSystem::kCalled) return RunIn<ShoreSystem, PartOf>(request);
  if (system == QuickStoreSystem<false>::kCalled) {
    return RunIn<QuickStoreSystem<false>, PartOf>(request);
  }
  if (system == QuickStoreSystem<true>::kCalled) {
    return RunIn<QuickStoreSystem<true>, PartOf>(request);
  }
  if (system == EpvmSystem::kCalled) return RunIn<EpvmSystem, PartOf>(request);
  *wrong = "there is no system '" + std::string(system) + "': shore, qs, qs-b, e, plain";
  return 2;
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
    constexpr std::string_view kPool = "--pool=";
    if (!argument.starts_with("--")) {
      words.push_back(argument);
    } else if (argument.starts_with(kPool)) {
      if (!NumberIn(argument, kPool, oo7::kLeastPool, oo7::kMostPool,
                    &request.options.pool_pages)) {
        return refuse("--pool takes a number of pages from 10 on");
      }
    } else {
      return refuse("oo1 has no option " + argument);
    }
  }
  if (words.empty() || (words[0] != "create" && words[0] != "measure")) {
    return refuse("oo1 takes create or measure");
  }
  request.create = words[0] == "create";
  const bool plain = words.size() > 1 && words[1] == "plain";
  if (plain && request.create) return refuse("plain has nothing to create");
  const size_t expected = request.create || plain ? 4 : 5;
  if (words.size() != expected) {
    return refuse("oo1 " + words[0] + " takes " + std::to_string(expected - 1) + " arguments");
  }
  if (!plain) request.store = words[3];
  if (!request.create) {
    const auto* const found =
        std::find(std::begin(kOperationNames), std::end(kOperationNames), words.back());
    if (found == std::end(kOperationNames)) {
      return refuse("there is no operation " + words.back() + ": lookup, traversal, insert");
    }
    request.operation = static_cast<Operation>(found - std::begin(kOperationNames));
  }
  if (words[2] == "objects") return RunWith<Part>(words[1], request, wrong);
  if (words[2] == "parts") return RunWith<WholePart>(words[1], request, wrong);
  return refuse("there is no layout '" + words[2] + "': objects, parts");
}

}  // namespace tenure::lab::oo1
