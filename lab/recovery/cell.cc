#include "lab/recovery/cell.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

#include "lab/support/fail.h"
#include "lab/support/lab_store.h"
#include "lab/support/measure.h"
#include "store/files/store_io.h"

namespace tenure::lab::recovery {

namespace {

std::string NameOf(size_t client) { return "module" + std::to_string(client); }

std::vector<std::string> Names(size_t clients) {
  std::vector<std::string> names;
  for (size_t i = 0; i < clients; ++i) names.push_back(NameOf(i));
  return names;
}

struct Pair {
  int ours = -1, theirs = -1;
};

Pair MakePair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) Fail("no socket");
  return {ends[0], ends[1]};
}

pid_t Start(const std::function<void()>& work) {
  std::fflush(stdout);
  const pid_t process = fork();
  if (process < 0) Fail("no process");
  if (process != 0) return process;
  work();
  _exit(0);
}

void Await(pid_t process, const char* what) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    Fail(std::string(what) + " ended with status " + std::to_string(status));
  }
}

// Until all clients have ended.
void RunServer(const CellOptions& options, const std::vector<int>& sockets) {
  // The device of the laboratory takes the time; this machine's is not waited for.
  const store::WithoutSyncs no_syncs;
  const std::unique_ptr<store::PageServer> store =
      OpenStoreAt(options.store, store::OpenMode::kOpen);
  {
    RecoveryServer server(*store, Names(options.clients), options.server);
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < sockets.size(); ++i) {
      threads.emplace_back([&, i] { server.Serve(sockets[i], i); });
    }
    for (std::thread& thread : threads) thread.join();
    server.Flush();
  }
  Check(store->Close(), "close the store");
}

double ProcessorTime() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// A client's last message; behind it come the times of its transactions.
struct ClientResult {
  uint64_t count;
  double elapsed, processor;  // of all transactions
  uint64_t sums_right;
  uint64_t regions;  // of all transactions
  ClientCounters last;
};

ClientCounters Difference(const ClientCounters& after, const ClientCounters& before) {
  ClientCounters result;
  static_assert(sizeof result % sizeof(uint64_t) == 0);
  const auto* a = reinterpret_cast<const uint64_t*>(&after);
  const auto* b = reinterpret_cast<const uint64_t*>(&before);
  auto* to = reinterpret_cast<uint64_t*>(&result);
  for (size_t i = 0; i < sizeof result / sizeof(uint64_t); ++i) to[i] = a[i] - b[i];
  result.most_copied = after.most_copied;
  return result;
}

void RunClient(const CellOptions& options, uint32_t number, int server, int parent) {
  ClientOptions mine = options.client;
  mine.number = number;
  Client client(server, options.module_pages, mine);
  const Sums before = SumModule(options.module_pages);
  Traverse<Client> traverse(options.traversal, client);
  uint64_t updates = traverse.Run();  // the caches are warm
  client.Commit();
  char go = 0;
  SendAll(parent, &go, sizeof go);
  if (!ReceiveAll(parent, &go, sizeof go)) _exit(3);
  ClientResult result{};
  std::vector<double> times;
  ClientCounters counted;
  const uint64_t regions = client.counters().regions;
  const double processor = ProcessorTime();
  const Stopwatch all;
  for (uint64_t i = 0; i < options.transactions; ++i) {
    counted = client.counters();
    const Stopwatch one;
    result.count = traverse.Run();
    client.Commit();
    times.push_back(one.Read().elapsed);
    updates += result.count;
  }
  result.elapsed = all.Read().elapsed;
  result.processor = ProcessorTime() - processor;
  result.last = Difference(client.counters(), counted);
  result.regions = client.counters().regions - regions;
  SendAll(parent, &result, sizeof result);
  SendAll(parent, times.data(), times.size() * sizeof(double));
  if (!ReceiveAll(parent, &go, sizeof go)) _exit(3);
  const Sums after = SumModule(options.module_pages);
  const uint64_t right = after.x - before.x == updates && after.y - before.y == updates;
  SendAll(parent, &right, sizeof right);
}

}  // namespace

size_t MakeStore(const std::string& path, Size size, Placement placement) {
  std::vector<std::vector<std::byte>> modules;
  size_t pages = 0;
  for (uint32_t i = 0; i < kMostClients; ++i) {
    modules.push_back(MakeModule(size, placement, i));
    pages = std::max(pages, modules.back().size() / kPageBytes);
  }
  const store::WithoutSyncs no_syncs;
  const std::unique_ptr<store::PageServer> store =
      OpenStoreAt(path, store::OpenMode::kOpenOrCreate);
  for (uint32_t i = 0; i < kMostClients; ++i) {
    std::vector<std::byte>& module = modules[i];
    module.resize(pages * kPageBytes);
    const store::DatabaseId database =
        Check(store->OpenDatabase(NameOf(i), store::OpenMode::kCreate), "make a database");
    const store::PageRun run = Check(store->AllocatePages(database, pages), "allocate pages");
    if (run.first.number != 1) Fail("the pages of a database do not begin with 1");
    constexpr size_t kAtOnce = 512;
    for (size_t first = 0; first < pages; first += kAtOnce) {
      std::vector<store::PageWrite> writes;
      for (size_t page = first; page < std::min(pages, first + kAtOnce); ++page) {
        store::PageWrite write;
        write.page = store::PageId{page + 1};
        write.contents = module.data() + page * kPageBytes;
        write.checksum = store::PageChecksum(write.page, {}, write.contents);
        writes.push_back(write);
      }
      store::DatabaseCommit commit;
      commit.database = database;
      commit.pages = writes;
      store::CommitRequest request;
      request.id = store::NewCommitId();
      request.databases = std::span(&commit, 1);
      Check(store->Commit(request).status, "write a module");
    }
  }
  Check(store->Close(), "close the store");
  return pages;
}

CellResult RunCell(const CellOptions& options) {
  std::vector<Pair> to_server, to_parent;
  std::vector<pid_t> clients;
  // One more connection for the program that measures, which changes nothing.
  for (size_t i = 0; i <= options.clients; ++i) to_server.push_back(MakePair());
  for (size_t i = 0; i < options.clients; ++i) to_parent.push_back(MakePair());
  const pid_t server = Start([&] {
    std::vector<int> sockets;
    for (const Pair& pair : to_server) {
      close(pair.ours);
      sockets.push_back(pair.theirs);
    }
    for (const Pair& pair : to_parent) {
      close(pair.ours);
      close(pair.theirs);
    }
    RunServer(options, sockets);
  });
  for (uint32_t i = 0; i < options.clients; ++i) {
    clients.push_back(Start([&, i] {
      for (size_t k = 0; k < to_server.size(); ++k) {
        close(to_server[k].theirs);
        if (k != i) close(to_server[k].ours);
      }
      for (size_t k = 0; k < to_parent.size(); ++k) {
        close(to_parent[k].ours);
        if (k != i) close(to_parent[k].theirs);
      }
      RunClient(options, i, to_server[i].ours, to_parent[i].theirs);
    }));
  }
  for (const Pair& pair : to_server) close(pair.theirs);
  for (size_t i = 0; i < options.clients; ++i) {
    close(to_server[i].ours);
    close(to_parent[i].theirs);
  }
  const int asks = to_server.back().ours;
  const auto report = [&] {
    const MessageHead head{MessageKind::kReport, 0, 0};
    SendAll(asks, &head, sizeof head);
    ServerReport told;
    if (!ReceiveAll(asks, &told, sizeof told)) Fail("the server has ended");
    return told;
  };
  char go = 0;
  const auto receive = [&](size_t client, void* bytes, size_t count) {
    if (!ReceiveAll(to_parent[client].ours, bytes, count)) Fail("a client has ended");
  };
  for (size_t i = 0; i < options.clients; ++i) receive(i, &go, sizeof go);
  const ServerReport before = report();
  for (size_t i = 0; i < options.clients; ++i) SendAll(to_parent[i].ours, &go, sizeof go);
  CellResult result;
  for (size_t i = 0; i < options.clients; ++i) {
    ClientResult told;
    receive(i, &told, sizeof told);
    std::vector<double> times(options.transactions);
    receive(i, times.data(), times.size() * sizeof(double));
    result.response.insert(result.response.end(), times.begin(), times.end());
    result.elapsed.push_back(told.elapsed);
    result.client_processor.push_back(told.processor / static_cast<double>(options.transactions));
    if (i == 0) {
      result.count = told.count;
      result.first = told.last;
      result.first_regions = told.regions;
    } else if (told.count != result.count) {
      Fail("clients count different updates");
    }
  }
  const ServerReport after = report();
  const auto* a = reinterpret_cast<const uint64_t*>(&after);
  const auto* b = reinterpret_cast<const uint64_t*>(&before);
  auto* to = reinterpret_cast<uint64_t*>(&result.server);
  for (size_t i = 0; i < sizeof after / sizeof(uint64_t); ++i) to[i] = a[i] - b[i];
  result.server.largest_group = after.largest_group;
  result.server_processor = static_cast<double>(result.server.processor_us) /
                            static_cast<double>(options.transactions * options.clients);
  for (size_t i = 0; i < options.clients; ++i) SendAll(to_parent[i].ours, &go, sizeof go);
  for (size_t i = 0; i < options.clients; ++i) {
    uint64_t right = 0;
    receive(i, &right, sizeof right);
    result.sums_right = result.sums_right && right != 0;
  }
  for (const pid_t client : clients) Await(client, "a client");
  close(asks);
  Await(server, "the server");
  for (const Pair& pair : to_parent) close(pair.ours);
  return result;
}

namespace {

// The sums of the modules in the store, which is not open elsewhere.
std::vector<Sums> SumsOf(const CellOptions& options) {
  std::vector<Sums> sums;
  const std::unique_ptr<store::PageServer> store =
      OpenStoreAt(options.store, store::OpenMode::kOpen);
  for (const std::string& name : Names(options.clients)) {
    const store::DatabaseId database =
        Check(store->OpenDatabase(name, store::OpenMode::kOpen), "open a database");
    const size_t bytes = options.module_pages * kPageBytes;
    void* const module = mmap(reinterpret_cast<void*>(kModuleBase), bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (module != reinterpret_cast<void*>(kModuleBase)) Fail("no memory for a module");
    for (size_t page = 0; page < options.module_pages; ++page) {
      const store::PageId id{page + 1};
      store::PageReply reply;
      Check(store->Read(database, std::span(&id, 1), std::span(&reply, 1)), "read a page");
      Check(reply.status, "read a page");
      std::memcpy(static_cast<std::byte*>(module) + page * kPageBytes, reply.record.contents,
                  kPageBytes);
    }
    sums.push_back(SumModule(options.module_pages));
    munmap(module, bytes);
  }
  Check(store->Close(), "close the store");
  return sums;
}

}  // namespace

CrashResult RunCrash(const CellOptions& options, uint64_t after_us) {
  const std::vector<Sums> before = SumsOf(options);
  std::vector<Pair> to_server, to_parent;
  for (size_t i = 0; i < options.clients; ++i) {
    to_server.push_back(MakePair());
    to_parent.push_back(MakePair());
  }
  const pid_t server = Start([&] {
    std::vector<int> sockets;
    for (size_t i = 0; i < options.clients; ++i) {
      close(to_server[i].ours);
      close(to_parent[i].ours);
      close(to_parent[i].theirs);
      sockets.push_back(to_server[i].theirs);
    }
    RunServer(options, sockets);
  });
  std::vector<pid_t> clients;
  for (uint32_t i = 0; i < options.clients; ++i) {
    clients.push_back(Start([&, i] {
      for (size_t k = 0; k < options.clients; ++k) {
        close(to_server[k].theirs);
        close(to_parent[k].ours);
        if (k == i) continue;
        close(to_server[k].ours);
        close(to_parent[k].theirs);
      }
      ClientOptions mine = options.client;
      mine.number = i;
      Client client(to_server[i].ours, options.module_pages, mine);
      Traverse<Client> traverse(options.traversal, client);
      while (true) {
        (void)traverse.Run();
        client.Commit();  // ends the process when the server has ended
        const char done = 1;
        SendAll(to_parent[i].theirs, &done, sizeof done);
      }
    }));
  }
  for (size_t i = 0; i < options.clients; ++i) {
    close(to_server[i].ours);
    close(to_server[i].theirs);
    close(to_parent[i].theirs);
  }
  char done;
  CrashResult result;
  result.acknowledged.assign(options.clients, 0);
  // Not before a client's first commit.
  if (ReceiveAll(to_parent[0].ours, &done, sizeof done)) ++result.acknowledged[0];
  usleep(static_cast<useconds_t>(after_us));
  kill(server, SIGKILL);
  int status;
  waitpid(server, &status, 0);
  for (const pid_t client : clients) waitpid(client, &status, 0);
  for (size_t i = 0; i < options.clients; ++i) {
    while (ReceiveAll(to_parent[i].ours, &done, sizeof done)) ++result.acknowledged[i];
    close(to_parent[i].ours);
  }
  {
    const std::unique_ptr<store::PageServer> store =
        OpenStoreAt(options.store, store::OpenMode::kOpen);
    result.found = Restart(*store, Names(options.clients), options.server.log_file);
    Check(store->Close(), "close the store");
  }
  const std::vector<Sums> after = SumsOf(options);
  // A transaction of T2A makes 2187 updates, of a big module 6561; the laboratory crashes small
  // modules with T2A.
  constexpr uint64_t kUpdates = 2187;
  for (size_t i = 0; i < options.clients; ++i) {
    const uint64_t grown = kUpdates * result.found[i];
    result.whole =
        result.whole && after[i].x - before[i].x == grown && after[i].y - before[i].y == grown;
  }
  return result;
}

}  // namespace tenure::lab::recovery
