#include "lab/oo7/program.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>

#include "lab/oo7/build.h"
#include "lab/oo7/configurations.h"
#include "lab/oo7/operations.h"
#include "lab/oo7/pointer_heap.h"
#include "lab/shore/shore_heap.h"
#include "lab/support/fail.h"
#include "store/open.h"

namespace tenure::lab::oo7 {

namespace {

constexpr int kIterations = 5;

struct Spent {
  double elapsed = 0, user = 0, system = 0;  // us
};

Spent Now() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {
      static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) / 1000,
      us(usage.ru_utime), us(usage.ru_stime)};
}

void Tell(const char* what, int64_t count, const Spent& from, const Spent& to) {
  std::printf("%s count %lld elapsed_us %.2f user_us %.0f system_us %.0f\n", what,
              static_cast<long long>(count), to.elapsed - from.elapsed, to.user - from.user,
              to.system - from.system);
}

std::unique_ptr<store::PageServer> OpenStore(const std::string& path, store::OpenMode mode) {
  store::StoreOptions options;
  options.mode = mode;
  return Check(store::OpenStore(path, options), "open the store");
}

void TellCounters(const shore::ShoreClient& client) {
  const shore::ShoreCounters& c = client.counters();
  const shore::PageCounters& p = client.page_counters();
  std::printf(
      "counters pins %llu unpins %llu fetched %llu fetched_bytes %llu commit_visits %llu "
      "requests %llu pages_read %llu pages_written %llu\n",
      static_cast<unsigned long long>(c.pins), static_cast<unsigned long long>(c.unpins),
      static_cast<unsigned long long>(c.fetched), static_cast<unsigned long long>(c.fetched_bytes),
      static_cast<unsigned long long>(c.commit_visits), static_cast<unsigned long long>(c.requests),
      static_cast<unsigned long long>(p.pages_read),
      static_cast<unsigned long long>(p.pages_written));
}

template <class H, class Chain>
void Measure(int operation, const typename H::template Local<Library<H>>& library, bool many,
             const Chain& chain) {
  const auto m = Operations<H>::ModuleAt(library, 0);
  for (int i = 1; i <= kIterations; ++i) {
    const Spent from = Now();
    const int64_t count = Operations<H>::Perform(operation, library, m);
    const Spent to = Now();
    Tell("iteration", count, from, to);
    if (many && i < kIterations) {
      chain();
      Tell("chain", 0, to, Now());
    }
  }
}

int CreateShore(const std::string& path, const Configuration& configuration) {
  const Spent from = Now();
  const std::unique_ptr<store::PageServer> server = OpenStore(path, store::OpenMode::kCreate);
  {
    shore::ShoreClient client(*server, /*create=*/true);
    (void)Builder<shore::ShoreHeap>::Build(configuration);
    client.Commit();
  }
  Check(server->Close(), "close the store");
  Tell("create", configuration.all_atomic_parts(), from, Now());
  return 0;
}

int MeasureShore(const std::string& path, int operation, bool many) {
  Spent from = Now();
  const std::unique_ptr<store::PageServer> server = OpenStore(path, store::OpenMode::kOpen);
  {
    shore::ShoreClient client(*server, /*create=*/false);
    Tell("open", 0, from, Now());
    shore::ShoreHeap::Ref<Library<shore::ShoreHeap>> root;
    static_cast<shore::ObjectRef&>(root) = client.Root();
    const shore::ShoreHeap::Local<Library<shore::ShoreHeap>> library(root);
    Measure<shore::ShoreHeap>(operation, library, many, [&] { client.Commit(); });
    from = Now();
    client.Commit();
    Tell("commit", 0, from, Now());
    TellCounters(client);
  }
  Check(server->Close(), "close the store");
  return 0;
}

int MeasurePlain(const Configuration& configuration, int operation) {
  const Spent from = Now();
  Library<PlainHeap>* const library = Builder<PlainHeap>::Build(configuration);
  Tell("build", configuration.all_atomic_parts(), from, Now());
  Measure<PlainHeap>(operation, library, /*many=*/false, [] {});
  return 0;
}

}  // namespace

int Run(const std::vector<std::string>& arguments, std::string* wrong) {
  const auto refuse = [&](const std::string& what) {
    *wrong = what;
    return 2;
  };
  constexpr char kForms[] =
      "oo7 takes: create shore STORE small|medium; measure shore STORE OPERATION one|many; "
      "measure plain small|medium OPERATION";
  Configuration configuration;
  const size_t count = arguments.size();
  if (count == 4 && arguments[0] == "create" && arguments[1] == "shore") {
    if (!ConfigurationNamed(arguments[3], &configuration)) {
      return refuse("'" + arguments[3] + "' is no configuration: small or medium");
    }
    return CreateShore(arguments[2], configuration);
  }
  const bool shore = count == 5 && arguments[0] == "measure" && arguments[1] == "shore";
  const bool plain = count == 4 && arguments[0] == "measure" && arguments[1] == "plain";
  if (!shore && !plain) return refuse(kForms);
  const int operation = OperationOf(arguments[3]);
  if (operation < 0) return refuse("there is no operation " + arguments[3]);
  if (plain) {
    if (!ConfigurationNamed(arguments[2], &configuration)) {
      return refuse("'" + arguments[2] + "' is no configuration: small or medium");
    }
    return MeasurePlain(configuration, operation);
  }
  if (arguments[4] != "one" && arguments[4] != "many") return refuse(kForms);
  return MeasureShore(arguments[2], operation, arguments[4] == "many");
}

}  // namespace tenure::lab::oo7
