#include "lab/quickstore/costs.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lab/support/fail.h"
#include "lab/support/measure.h"

namespace tenure::lab::quickstore {

namespace {

constexpr size_t kPage = 4096, kFrame = 8192;

// --- traps ---

enum class Mechanism : uint8_t { kProtection, kMapping, kUserfaultSignal };

// The handler's data, for the one measurement that runs.
std::byte* memory = nullptr;
Mechanism mechanism = Mechanism::kProtection;
int pool_file = -1, fault_file = -1;
std::byte* source = nullptr;  // a page that userfaultfd copies

bool CopyPage(uintptr_t address) {
  uffdio_copy copy = {};
  copy.dst = address / kPage * kPage;
  copy.src = reinterpret_cast<uintptr_t>(source);
  copy.len = kPage;
  return ioctl(fault_file, UFFDIO_COPY, &copy) == 0;
}

void Handle(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  auto* const frame = reinterpret_cast<std::byte*>(address / kFrame * kFrame);
  bool done = false;
  switch (mechanism) {
    case Mechanism::kProtection: done = mprotect(frame, kFrame, PROT_READ) == 0; break;
    case Mechanism::kMapping:
      done = mmap(frame, kFrame, PROT_READ, MAP_SHARED | MAP_FIXED, pool_file, frame - memory) ==
             frame;
      break;
    case Mechanism::kUserfaultSignal: done = CopyPage(address); break;
  }
  if (!done) _exit(3);
}

// Touches a byte of each page, one page after the other.
Times TouchAll(size_t pages, size_t step) {
  const Stopwatch watch;
  uint32_t sum = 0;
  for (size_t i = 0; i < pages; ++i) {
    sum += static_cast<uint32_t>(*static_cast<volatile std::byte*>(memory + i * step));
  }
  Times times = watch.Read();
  if (sum == 1) Fail("memory is not empty");
  times.processor /= static_cast<double>(pages);
  times.elapsed /= static_cast<double>(pages);
  return times;
}

void PrintTrap(const char* system, size_t pages, const std::vector<Times>& times) {
  Row row("traps", system);
  row.Put("traps", uint64_t{pages}).Put("us", times);
}

void MeasureSignals(const char* system, Mechanism how, size_t pages, int runs) {
  const size_t bytes = pages * kFrame;
  mechanism = how;
  pool_file = memfd_create("costs", MFD_CLOEXEC);
  if (pool_file < 0 || ftruncate(pool_file, static_cast<off_t>(bytes)) != 0) Fail("no memory");
  std::vector<Times> times;
  for (int run = 0; run <= runs; ++run) {
    // With room for a beginning at a frame's boundary, which the handler looks for.
    void* const at = how == Mechanism::kProtection
                         ? mmap(nullptr, bytes + kFrame, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)
                         : mmap(nullptr, bytes + kFrame, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) Fail("no memory");
    memory = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(at) + kFrame - 1) / kFrame *
                                          kFrame);
    // Every other frame, so that no two become one mapping.
    if (how == Mechanism::kProtection && mprotect(memory, bytes, PROT_NONE) != 0) Fail("mprotect");
    struct sigaction action = {}, before = {};
    action.sa_sigaction = Handle;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before);
    const Times taken = TouchAll(pages / 2, 2 * kFrame);
    sigaction(SIGSEGV, &before, nullptr);
    munmap(at, bytes + kFrame);
    if (run > 0) times.push_back(taken);
  }
  close(pool_file);
  PrintTrap(system, pages / 2, times);
}

// Traps that the kernel answers itself: of memory that is there, but not in the page tables.
void MeasureMinorFaults(size_t pages, int runs) {
  std::vector<Times> times;
  for (int run = 0; run <= runs; ++run) {
    const int file = memfd_create("costs", MFD_CLOEXEC);
    const size_t bytes = pages * kPage;
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) Fail("no memory");
    std::vector<std::byte> page(kPage);
    for (size_t i = 0; i < pages; ++i) {
      if (pwrite(file, page.data(), kPage, static_cast<off_t>(i * kPage)) != ssize_t{kPage}) {
        Fail("no memory");
      }
    }
    void* const at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (at == MAP_FAILED || madvise(at, bytes, MADV_RANDOM) != 0) Fail("no memory");
    memory = static_cast<std::byte*>(at);
    const Times taken = TouchAll(pages, kPage);
    munmap(at, bytes);
    close(file);
    if (run > 0) times.push_back(taken);
  }
  PrintTrap("page fault of the kernel", pages, times);
}

// False: this system has no userfaultfd for us.
bool MeasureUserfaults(const char* system, bool signal, size_t pages, int runs) {
  std::vector<Times> times;
  for (int run = 0; run <= runs; ++run) {
    fault_file =
        static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY));
    if (fault_file < 0) return false;
    uffdio_api api = {};
    api.api = UFFD_API;
    api.features = signal ? UFFD_FEATURE_SIGBUS : 0;
    const size_t bytes = pages * kPage;
    void* const at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) Fail("no memory");
    memory = static_cast<std::byte*>(at);
    uffdio_register whole = {};
    whole.range = {reinterpret_cast<uintptr_t>(memory), bytes};
    whole.mode = UFFDIO_REGISTER_MODE_MISSING;
    if (ioctl(fault_file, UFFDIO_API, &api) != 0 ||
        ioctl(fault_file, UFFDIO_REGISTER, &whole) != 0) {
      close(fault_file);
      munmap(at, bytes);
      return false;
    }
    std::vector<std::byte> page(2 * kPage);
    source = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(page.data()) + kPage - 1) /
                                          kPage * kPage);
    Times taken;
    if (signal) {
      mechanism = Mechanism::kUserfaultSignal;
      struct sigaction action = {}, before = {};
      action.sa_sigaction = Handle;
      action.sa_flags = SA_SIGINFO;
      sigaction(SIGBUS, &action, &before);
      taken = TouchAll(pages, kPage);
      sigaction(SIGBUS, &before, nullptr);
    } else {
      std::thread answers([pages] {
        for (size_t answered = 0; answered < pages;) {
          pollfd wait = {fault_file, POLLIN, 0};
          if (poll(&wait, 1, -1) < 0) continue;
          uffd_msg message;
          if (read(fault_file, &message, sizeof message) != ssize_t{sizeof message}) continue;
          if (!CopyPage(message.arg.pagefault.address)) _exit(3);
          ++answered;
        }
      });
      taken = TouchAll(pages, kPage);
      answers.join();
    }
    close(fault_file);
    munmap(at, bytes);
    if (run > 0) times.push_back(taken);
  }
  PrintTrap(system, pages, times);
  return true;
}

void RunTraps(bool quick) {
  const size_t pages = quick ? 2000 : 8000;
  const int runs = quick ? 5 : 15;
  MeasureMinorFaults(pages, runs);
  MeasureSignals("signal and mprotect", Mechanism::kProtection, pages, runs);
  MeasureSignals("signal and mmap", Mechanism::kMapping, pages, runs);
  (void)MeasureUserfaults("userfaultfd, signal", true, pages, runs);
  (void)MeasureUserfaults("userfaultfd, thread", false, pages, runs);
}

// --- checks ---

struct Node {
  Node* next;
  uint64_t a, b, c;
};

// The residency of a page of memory, one byte, as software barriers look it up.
std::unique_ptr<uint8_t[]> resident;
uintptr_t first_page;
uint64_t misses = 0;

__attribute__((noinline)) void Miss() { ++misses; }

inline void Check(const Node* node) {
  if (resident[(reinterpret_cast<uintptr_t>(node) >> 13) - first_page] == 0) [[unlikely]]
    Miss();
}

enum class Checks : uint8_t { kNone, kObject, kAccess };

// Follows a list; each node is accessed four times. The compiler must not keep values in registers
// and so hide checks: with kAccess each access has a check, as after a call that could have changed
// anything.
template <Checks kChecks>
uint64_t Chase(const Node* node, size_t steps) {
  uint64_t sum = 0;
  for (size_t i = 0; i < steps; ++i) {
    if constexpr (kChecks != Checks::kNone) Check(node);
    sum += node->a;
    if constexpr (kChecks == Checks::kAccess) {
      asm volatile("" ::: "memory");
      Check(node);
    }
    sum += node->b;
    if constexpr (kChecks == Checks::kAccess) {
      asm volatile("" ::: "memory");
      Check(node);
    }
    sum += node->c;
    if constexpr (kChecks == Checks::kAccess) {
      asm volatile("" ::: "memory");
      Check(node);
    }
    node = node->next;
  }
  return sum;
}

// Goes over an array, node after node. The check of a loop is that of each page (kObject).
template <Checks kChecks>
uint64_t Loop(const Node* nodes, size_t count, size_t steps) {
  constexpr size_t kNodesOnPage = kFrame / sizeof(Node);
  uint64_t sum = 0;
  for (size_t done = 0; done < steps;) {
    for (size_t i = 0; i < count && done < steps; i += kNodesOnPage) {
      const size_t end = std::min(count, i + kNodesOnPage);
      if constexpr (kChecks == Checks::kObject) Check(&nodes[i]);
      for (size_t k = i; k < end; ++k, ++done) {
        if constexpr (kChecks == Checks::kAccess) Check(&nodes[k]);
        sum += nodes[k].a;
        asm volatile("" : "+r"(sum));
      }
    }
  }
  return sum;
}

template <class Run>
void PrintChecks(const char* shape, const char* system, uint64_t nodes, size_t accesses, int runs,
                 const Run& run) {
  std::vector<Times> times;
  uint64_t sum = run();
  for (int i = 0; i < runs; ++i) {
    const Stopwatch watch;
    if (run() != sum) Fail("a sum differs");
    Times taken = watch.Read();
    const double us = static_cast<double>(accesses) / 1000;
    taken.processor /= us;
    taken.elapsed /= us;
    times.push_back(taken);  // ns of an access
  }
  Row row("checks", system);
  row.Put("shape", shape).Put("nodes", nodes).Put("sum", sum);
  row.Put("misses", misses).Put("ns", times);
}

void RunChecks(bool quick) {
  const int runs = quick ? 5 : 15;
  const size_t steps = quick ? 2000000 : 10000000;
  // Lists that fit into the first cache, into the last one, and only into memory.
  for (const size_t count : {size_t{512}, size_t{16384}, size_t{1} << 20}) {
    std::vector<Node> nodes(count);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
    for (size_t i = 0; i < count; ++i) {
      nodes[order[i]] = {&nodes[order[(i + 1) % count]], i, i * 3, 1};
    }
    first_page = reinterpret_cast<uintptr_t>(nodes.data()) >> 13;
    const size_t pages = count * sizeof(Node) / kFrame + 2;
    resident = std::make_unique<uint8_t[]>(pages);
    std::fill_n(resident.get(), pages, 1);
    const size_t chased = count > 100000 ? steps / 10 : steps;
    const Node* const first = nodes.data();
    PrintChecks("chase", "none", count, 4 * chased, runs,
                [&] { return Chase<Checks::kNone>(first, chased); });
    PrintChecks("chase", "each access", count, 4 * chased, runs,
                [&] { return Chase<Checks::kAccess>(first, chased); });
    PrintChecks("chase", "each object", count, 4 * chased, runs,
                [&] { return Chase<Checks::kObject>(first, chased); });
    PrintChecks("loop", "none", count, steps, runs,
                [&] { return Loop<Checks::kNone>(first, count, steps); });
    PrintChecks("loop", "each access", count, steps, runs,
                [&] { return Loop<Checks::kAccess>(first, count, steps); });
    PrintChecks("loop", "each object", count, steps, runs,
                [&] { return Loop<Checks::kObject>(first, count, steps); });
  }
}

}  // namespace

std::vector<std::string_view> ExperimentNames() { return {"traps", "checks"}; }

bool RunExperiment(std::string_view name, bool quick) {
  if (name == "traps") {
    RunTraps(quick);
  } else if (name == "checks") {
    RunChecks(quick);
  } else {
    return false;
  }
  return true;
}

}  // namespace tenure::lab::quickstore
