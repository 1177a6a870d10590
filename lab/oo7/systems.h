// The systems that OO7 runs on: for each a heap, a client of an open store, and what it counts.
//
// A system S has
//   Heap, kCalled (its name), kRepeats: hot iterations repeat short operations
//   S(server, create, options)
//   Root<T>(), SetRoot(root), Commit(): the root is OO7's library unless T says more
//   TellCounters(what): prints a line
#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "lab/epvm/epvm_heap.h"
#include "lab/oo7/objects.h"
#include "lab/quickstore/quickstore_heap.h"
#include "lab/shore/shore_heap.h"

namespace tenure::lab::oo7 {

// Of the client, in pages.
inline constexpr uint32_t kLeastPool = 10, kMostPool = 1 << 20;

struct SystemOptions {
  uint32_t pool_pages = 1536;
  uint32_t relocate_percent = 0;
  bool relocate_once = false;
};

using Numbers = std::initializer_list<std::pair<const char*, uint64_t>>;

inline void PrintNumbers(Numbers numbers) {
  for (const auto& [name, number] : numbers) {
    std::printf(" %s %llu", name, static_cast<unsigned long long>(number));
  }
}

inline void TellNumbers(const char* what, Numbers numbers) {
  std::printf("%s", what);
  PrintNumbers(numbers);
  std::printf("\n");
}

// The numbers of a pool of pages, then those of the system above it.
inline void TellNumbers(const char* what, const esm::PoolCounters& pool, Numbers numbers) {
  std::printf("%s", what);
  PrintNumbers({{"data_reads", pool.data_reads},
                {"map_reads", pool.map_reads},
                {"index_reads", pool.index_reads},
                {"spilled", pool.spilled},
                {"spilled_reads", pool.spilled_reads},
                {"evicted", pool.evicted},
                {"sweeps", pool.sweeps},
                {"pages_written", pool.pages_written},
                {"pages_changed", pool.pages_changed}});
  PrintNumbers(numbers);
  std::printf("\n");
}

class ShoreSystem {
 public:
  using Heap = shore::ShoreHeap;
  static constexpr std::string_view kCalled = "shore";
  static constexpr bool kRepeats = false;

  ShoreSystem(store::PageServer& server, bool create, const SystemOptions&)
      : client_(server, create) {}
  template <class T = Library<Heap>>
  Heap::Local<T> Root() {
    Heap::Ref<T> root;
    static_cast<shore::ObjectRef&>(root) = client_.Root();
    return Heap::Local<T>(root);
  }
  // The first object that was made is the root.
  template <class T>
  void SetRoot(const Heap::Local<T>&) {}
  void Commit() { client_.Commit(); }
  void TellCounters(const char* what) {
    const shore::ShoreCounters& c = client_.counters();
    const shore::PageCounters& p = client_.page_counters();
    TellNumbers(what, {{"pins", c.pins},
                       {"unpins", c.unpins},
                       {"fetched", c.fetched},
                       {"fetched_bytes", c.fetched_bytes},
                       {"commit_visits", c.commit_visits},
                       {"requests", c.requests},
                       {"pages_read", p.pages_read},
                       {"pages_written", p.pages_written}});
  }

 private:
  shore::ShoreClient client_;
};

template <bool kPadded, bool kRelative = false>
class QuickStoreSystem {
 public:
  using Heap = quickstore::QuickStoreHeap<kPadded>;
  static constexpr std::string_view kCalled = kRelative ? "qs-r" : kPadded ? "qs-b" : "qs";
  static constexpr bool kRepeats = true;

  QuickStoreSystem(store::PageServer& server, bool create, const SystemOptions& options)
      : client_(server, create,
                {.pool_pages = options.pool_pages,
                 .relocate_percent = options.relocate_percent,
                 .relocate_once = options.relocate_once,
                 .relative = kRelative,
                 // Relative references: all pages or none.
                 .shift = kRelative && options.relocate_percent != 0 ? uint64_t{1} << 20 : 0}) {}
  template <class T = Library<Heap>>
  T* Root() {
    return static_cast<T*>(client_.Root());
  }
  void SetRoot(void* root) { client_.SetRoot(root); }
  void Commit() { client_.Commit(); }
  void TellCounters(const char* what) {
    const quickstore::Counters& c = client_.counters();
    TellNumbers(what, client_.pool_counters(),
                {{"read_faults", c.read_faults},
                 {"access_faults", c.access_faults},
                 {"write_faults", c.write_faults},
                 {"map_entries", c.map_entries},
                 {"bitmaps_read", c.bitmaps_read},
                 {"relocated", c.relocated},
                 {"pages_patched", c.pages_patched},
                 {"pointers_patched", c.pointers_patched},
                 {"mappings_checked", c.mappings_checked},
                 {"mappings_written", c.mappings_written},
                 {"commit_reads", c.commit_reads},
                 {"log_records", c.log.records},
                 {"log_bytes", c.log.bytes},
                 {"fault_ns", c.fault_ns},
                 {"data_io_ns", c.data_io_ns},
                 {"map_io_ns", c.map_io_ns},
                 {"swizzle_ns", c.swizzle_ns},
                 {"mmap_ns", c.mmap_ns},
                 {"copy_ns", c.copy_ns},
                 {"diff_ns", c.diff_ns},
                 {"map_update_ns", c.map_update_ns},
                 {"commit_ns", c.commit_ns},
                 {"objects", client_.head().objects},
                 {"object_bytes", client_.head().object_bytes},
                 {"map_bytes", client_.head().map_bytes},
                 {"bitmap_bytes", client_.head().bitmap_bytes}});
  }

 private:
  quickstore::QuickStore client_;
};

class EpvmSystem {
 public:
  using Heap = epvm::EpvmHeap;
  static constexpr std::string_view kCalled = "e";
  static constexpr bool kRepeats = true;

  EpvmSystem(store::PageServer& server, bool create, const SystemOptions& options)
      : client_(server, create, {.pool_pages = options.pool_pages}) {}
  template <class T = Library<Heap>>
  Heap::Local<T> Root() {
    return Heap::Local<T>(client_.Root());
  }
  template <class T>
  void SetRoot(const Heap::Local<T>& root) {
    client_.SetRoot(root.oid());
  }
  void Commit() { client_.Commit(); }
  void TellCounters(const char* what) {
    const epvm::Counters& c = client_.counters();
    TellNumbers(what, client_.pool_counters(),
                {{"dereferences", c.dereferences},
                 {"large_calls", c.large_calls},
                 {"updates", c.updates},
                 {"copied", c.copied},
                 {"unswizzled", c.unswizzled},
                 {"log_records", c.log.records},
                 {"log_bytes", c.log.bytes},
                 {"commit_ns", c.commit_ns},
                 {"objects", client_.head().objects},
                 {"object_bytes", client_.head().object_bytes}});
  }

 private:
  epvm::Epvm client_;
};

}  // namespace tenure::lab::oo7
