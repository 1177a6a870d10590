#include "gc/heap.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/address_limit.h"
#include "base/machine_limits.h"
#include "base/metrics.h"
#include "base/standard_error.h"
#include "gc/card_table.h"
#include "gc/collector.h"
#include "gc/heap_limits.h"
#include "gc/helper_threads.h"
#include "gc/object_visitor.h"
#include "gc/verifier.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;

namespace {

constexpr size_t kDefaultReserve = size_t{64} << 30;
// Under a limit on address space the heap takes this part of it: databases need some too.
constexpr size_t kReserveDivisor = 4;
// Under a limit on private memory the heap takes this part of it. Pages of databases are shared
// memory and do not count.
constexpr size_t kDataDivisor = 2;
// Bytes. A buffer with more free room than this is kept when an object does not fit into it.
constexpr size_t kWorthKeeping = abi::kPageBytes / 8;
constexpr size_t kQuarantinePages = 256;
constexpr uint32_t kMaxAge = 30;
// Bytes: a minor collection seldom copies more. Pages: copies may need a few more than originals.
constexpr size_t kPreparedBytes = 2 << 20;
constexpr size_t kPreparedMore = 16;
// Bytes of heap. Starting threads takes as long as copying some hundred kilobytes.
constexpr size_t kWorthSharing = 16 << 20;

// Processor time of this thread.
uint64_t ProcessorNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The limit of the heap when the options have none. If a control group limits memory, the rest of
// the process needs a part of it; otherwise the system would kill the process.
size_t MostByDefault() { return MemoryIsLimited() ? MemoryBytes() / 4 * 3 : MemoryBytes(); }

size_t ReserveFor(const HeapOptions& options) {
  if (options.reserve_bytes != 0) return options.reserve_bytes;
  size_t reserve = kDefaultReserve;
  const size_t most = std::max(options.max_heap_bytes, options.max_bytes_with_files);
  if (options.max_heap_bytes != 0 && most < kDefaultReserve / 4) {
    // Reserve twice the most, so that large objects find runs of pages; the quarantine takes
    // addresses, too.
    reserve = 2 * most + 2 * kQuarantinePages * abi::kPageBytes;
  }
  // Tables of a part of its size are private memory from the beginning.
  return WithinDataLimit(WithinAddressLimit(reserve, kReserveDivisor, 1), kDataDivisor, 1, 1);
}

}  // namespace

Result<std::unique_ptr<Heap>> Heap::Create(const HeapOptions& options, RootSource& roots) {
  if (options.promotion_age < 1 || options.promotion_age > kMaxAge) {
    return Status(StatusCode::kInvalidArgument, "promotion age must be 1 to 30",
                  options.promotion_age);
  }
  if (options.max_heap_bytes != 0 && options.max_heap_bytes < kSmallestHeap) {
    static_assert(kSmallestHeap == 512 << 10);
    return Status(StatusCode::kInvalidArgument, "the heap must have at least 512 KB",
                  kSmallestHeap);
  }
  std::unique_ptr<Heap> heap(new Heap(options, roots));
  TN_RETURN_IF_ERROR(heap->Initialize());
  return heap;
}

Heap::Heap(const HeapOptions& options, RootSource& roots)
    : state_(options, roots), weak_refs_(lock_) {}

Heap::~Heap() {
  // Another heap may have its addresses.
  if (state_.pages.bytes() != 0)
    CardTable::WatchPages(state_.pages.Begin(0), state_.pages.high_water(), false);
}

Status Heap::Initialize() {
  TN_RETURN_IF_ERROR(CardTable::Reserve());
  const size_t reserve = ReserveFor(state_.options);
  const size_t max =
      state_.options.max_heap_bytes != 0 ? state_.options.max_heap_bytes : MostByDefault();
  const bool stress = state_.options.stress_interval != 0;
  TN_RETURN_IF_ERROR(state_.Initialize(reserve, max, stress ? kQuarantinePages : 0));
  TN_RETURN_IF_ERROR(old_.Create(state_.pages));
  stress_countdown_ = state_.options.stress_interval;
  return Status::Ok();
}

void Heap::SetPersistentSpace(PersistentSpace* space) {
  const HeapEntry guard(lock_);
  state_.persistent_space = space;
  if (const HeapOptions& options = state_.options; options.file_memory_from_bytes != 0) {
    PageAllocator::MapFile map;
    if (space != nullptr)
      map = [space](void* at, size_t bytes) { return space->MapFileMemory(at, bytes); };
    state_.page_allocator.UseFiles(std::move(map), options.file_memory_from_bytes,
                                   options.max_bytes_with_files);
    state_.pacer.SetMaxBytes(state_.page_allocator.max_bytes());
  }
  state_.pacer.SharesMemory(space != nullptr);
  state_.buffers.ForEach([](AllocationBuffer& buffer) { buffer.governor = nullptr; });
}

Status Heap::AddMutator(abi::MutatorState& state) {
  const HeapEntry guard(lock_);
  if (state_.buffers.Find(state) != nullptr) {
    return Status(StatusCode::kExists, "this thread is a mutator already");
  }
  state_.buffers.Add(state);
  return Status::Ok();
}

void Heap::RemoveMutator(abi::MutatorState& state) {
  const HeapEntry guard(lock_);
  // The buffer is suspended only in the child of a fork, where its thread does not exist.
  if (AllocationBuffer* buffer = state_.buffers.Find(state);
      buffer != nullptr && buffer->suspended) {
    if (const Region region = buffer->Load(); region.bytes() > 0) {
      state_.pages.Of(region.pointer).open = false;
    }
    --state_.interrupted;
  }
  if (AllocationBuffer* buffer = state_.buffers.Find(state); buffer != nullptr)
    CloseBuffer(*buffer);
  state_.buffers.Remove(state);
}

void Heap::CloseBuffer(AllocationBuffer& buffer) {
  if (buffer.governor != nullptr && stops_ == 0) {
    if (const Region rest = buffer.Abandon(); rest.bytes() > 0) abandoned_.Push(rest);
  }
  buffer.Retire();
}

Result<Ref> Heap::AllocateSlow(abi::MutatorState& state, const abi::TypeDescriptor& type,
                               size_t payload_bytes, const int64_t* lengths) {
  // A larger object cannot fit, and the sums below must not overflow.
  if (payload_bytes > state_.pages.bytes()) {
    return Status(StatusCode::kNoMemory, "object larger than the heap",
                  static_cast<int64_t>(payload_bytes));
  }
  const size_t bytes = abi::kHeaderBytes + abi::PayloadRoom(payload_bytes);

  const HeapEntry guard(lock_);
  if (state_.options.stress_interval != 0 && --stress_countdown_ == 0) {
    stress_countdown_ = state_.options.stress_interval;
    ++stress_collections_;
    const bool major = state_.options.stress_major_every != 0 &&
                       stress_collections_ % state_.options.stress_major_every == 0;
    CollectLocked(major ? CollectionKind::kMajor : CollectionKind::kMinor);
  }
  AllocationBuffer* buffer = state_.buffers.Find(state);
  TN_CHECK(buffer != nullptr && "allocation by a thread that is not a mutator");
  if (buffer->governor != nullptr) CloseBuffer(*buffer);
  char* place = Allocate(*buffer, bytes);
  if (place == nullptr) {
    CollectLocked(CollectionKind::kMajor);
    place = Allocate(*buffer, bytes);
  }
  if (place == nullptr) {
    buffer->may_use_reserve = true;
    return Status(StatusCode::kNoMemory, "the heap is full", static_cast<int64_t>(payload_bytes));
  }
  if (state_.page_allocator.free_bytes() > 2 * state_.page_allocator.reserve_bytes()) {
    buffer->may_use_reserve = false;
  }
  const Ref object = place + abi::kHeaderBytes;
  if (bytes <= kLargeObjectBytes) memset(object, 0, bytes - abi::kHeaderBytes);
  ObjectHeader::Of(object)->word = ObjectHeader::ForType(&type);
  if (lengths != nullptr) {
    memcpy(abi::OpenLengths(type, object), lengths, 8 * size_t{type.open_dimensions});
  }
  return object;
}

char* Heap::Allocate(AllocationBuffer& buffer, size_t bytes) {
  if (bytes <= kLargeObjectBytes) {
    char* place = TakeFromBuffer(buffer, bytes);
    if (place != nullptr) return place;
  }
  if (state_.pacer.IsTime()) {
    CollectLocked(state_.pacer.NextKind(state_.old_bytes));
  } else if (old_.IsSliceDue(state_.pacer.young_since())) {
    StepOldCollection();
  }
  return bytes <= kLargeObjectBytes ? AllocateSmall(buffer, bytes)
                                    : AllocateLarge(bytes, buffer.may_use_reserve);
}

char* Heap::TakeFromBuffer(AllocationBuffer& buffer, size_t bytes) {
  Region main = state_.options.stress_interval != 0 ? buffer.hidden : buffer.Load();
  char* place = main.Take(bytes);
  if (place == nullptr) return buffer.overflow.Take(bytes);
  if (state_.options.stress_interval != 0) {
    buffer.hidden = main;
  } else {
    buffer.Store(main);
  }
  return place;
}

// Called when TakeFromBuffer found no room.
char* Heap::AllocateSmall(AllocationBuffer& buffer, size_t bytes) {
  Region main = state_.options.stress_interval != 0 ? buffer.hidden : buffer.Load();
  if (main.bytes() > kWorthKeeping) {
    buffer.overflow.Close();
    buffer.overflow = FreePlace(bytes, buffer.may_use_reserve);
    return buffer.overflow.Take(bytes);
  }
  main.Close();
  main = FreePlace(bytes, buffer.may_use_reserve);
  char* place = main.Take(bytes);
  if (state_.options.stress_interval != 0) {
    buffer.hidden = main;
  } else {
    buffer.Store(main);
  }
  return place;
}

Region Heap::FreePlace(size_t bytes_needed, bool may_use_reserve) {
  Region region = TakeGap(bytes_needed);
  if (region.bytes() == 0) {
    const PageAllocator::Run run = state_.page_allocator.Allocate(1, may_use_reserve);
    if (run.first == PageAllocator::kNoPage) return {};
    PageDescriptor& page = state_.pages.At(run.first);
    page = PageDescriptor{};
    page.space = Space::kTo;
    page.run_pages = 1;
    page.recent = state_.pacer.IsLate();
    state_.AddYoungPage(run.first);
    region = {state_.pages.Begin(run.first), state_.pages.Begin(run.first) + abi::kPageBytes};
  }
  if (state_.options.paranoid) memset(region.pointer, kPoison, region.bytes());
  state_.pacer.Allocated(region.bytes());
  state_.counters.bytes_allocated += region.bytes();
  if (state_.pacer.young_since() >= tells_at_) {
    tells_at_ += kTellsEvery;
    if (state_.persistent_space != nullptr)
      state_.persistent_space->AllocatedAtFirst(state_.pacer.young_since());
  }
  return region;
}

Region Heap::TakeGap(size_t bytes_needed) {
  RawArray<Region>& gaps = state_.gaps_of(Generation::kYoung);
  while (!gaps.empty() && gaps.back().bytes() >= bytes_needed) {
    const Region gap = gaps.Pop();
    if (state_.persistent_space != nullptr && state_.persistent_space->IsGoverned(gap.pointer))
      continue;
    state_.pages.Of(gap.pointer).starts_known = false;
    return gap;
  }
  return {};
}

char* Heap::AllocateLarge(size_t bytes, bool may_use_reserve) {
  const size_t count = (bytes + abi::kPageBytes - 1) / abi::kPageBytes;
  if (count > UINT32_MAX) return nullptr;
  if (bytes >= PersistentSpace::kAnnouncedBytes && state_.persistent_space != nullptr) {
    state_.persistent_space->WillAllocate(bytes);
  }
  const PageAllocator::Run run = state_.page_allocator.Allocate(count, may_use_reserve);
  if (run.first == PageAllocator::kNoPage) return nullptr;
  for (size_t i = 0; i < count; ++i) {
    PageDescriptor& page = state_.pages.At(run.first + i);
    page = PageDescriptor{};
    page.space = Space::kTo;
    page.kind = i == 0 ? PageKind::kLargeFirst : PageKind::kLargeRest;
    page.run_pages = static_cast<uint32_t>(i == 0 ? count : i);
  }
  state_.AddYoungPage(run.first);
  char* begin = state_.pages.Begin(run.first);
  if (!run.zeroed) memset(begin, 0, count * abi::kPageBytes);
  state_.pacer.AllocatedLarge(count * abi::kPageBytes);
  state_.counters.bytes_allocated += count * abi::kPageBytes;
  return begin;
}

void Heap::RetireBuffer(abi::MutatorState& state) {
  const HeapEntry guard(lock_);
  AllocationBuffer* buffer = state_.buffers.Find(state);
  if (buffer != nullptr) CloseBuffer(*buffer);
}

void Heap::RetireAllBuffers() {
  const HeapEntry guard(lock_);
  state_.buffers.RetireAll();
}

void Heap::Collect(CollectionKind kind) {
  const HeapEntry guard(lock_);
  CollectLocked(kind);
}

void Heap::CollectLocked(CollectionKind kind) {
  if (disabled_.load(std::memory_order_relaxed) > 0) return;
  if (kind == CollectionKind::kMinor) {
    state_.page_allocator.Prepare(
        std::min(state_.pacer.ExpectedCopies(), kPreparedBytes) / abi::kPageBytes + kPreparedMore);
  }
  BeginPause();
  HelperThreads helpers(HelpersWanted(kind));
  StopWorld();
  CollectStopped(kind, helpers);
  ResumeWorld();
  if (weak_refs_.CleanupsWait()) state_.roots.CleanupsWait();
  EndPause(kind == CollectionKind::kMajor ? "major collection" : "minor collection");
}

// Not inlined: the collecting thread's stack is searched from the caller's frame on. The
// collector's frame is large, and unused words in it still hold references to objects that have
// died.
__attribute__((noinline)) void Heap::CollectStopped(CollectionKind kind, HelperThreads& helpers) {
  const uint64_t stop_ns = MonotonicNanoseconds() - pause_.start_ns;
  const uint64_t stop_us = stop_ns / 1000;
  state_.counters.phase_ns_total[static_cast<size_t>(Phase::kStop)] += stop_ns;
  state_.counters.stop_us_total += stop_us;
  state_.counters.stop_us_max = std::max(state_.counters.stop_us_max, stop_us);
  state_.counters.threads_interrupted += state_.interrupted;
  state_.buffers.RetireAll();
  if (state_.options.paranoid)
    Verifier(state_, old_, weak_refs_).CheckOrAbort("before a collection");
  if (kind == CollectionKind::kMinor && state_.options.incremental && state_.options.generational &&
      old_.is_idle() &&
      (state_.options.stress_interval != 0 || state_.pacer.IsTimeForOld(old_.used_bytes()))) {
    state_.pacer.OldCollectionBegins(old_.used_bytes());
    old_.Begin();
  }
  Collector(state_, old_, weak_refs_, kind, helpers).Run();
  tells_at_ = SIZE_MAX;
  if (state_.options.paranoid)
    Verifier(state_, old_, weak_refs_).CheckOrAbort("after a collection");
}

size_t Heap::HelpersWanted(CollectionKind kind) const {
  if (kind != CollectionKind::kMajor) return 0;
  // A thread that is stopped may have malloc's lock, unless there is a database
  // (docs/collector.md, "Locks").
  if (stops_ > 0 && state_.persistent_space == nullptr) return 0;
  size_t threads = state_.options.collector_threads;
  if (threads == 0) {
    threads = HeapBytes() < kWorthSharing ? 1 : ProcessorCount();
  }
  return std::clamp<size_t>(threads, 1, HelperThreads::kMostThreads) - 1;
}

void Heap::StepOldCollection() {
  if (disabled_.load(std::memory_order_relaxed) > 0) return;
  BeginPause();
  StopWorld();
  if (state_.persistent_space != nullptr)
    state_.persistent_space->BeginCollection(CollectionKind::kSlice);
  old_.Step(pause_.start_ns + state_.pacer.slice_ns(), state_.pacer.young_since(),
            state_.pacer.young_limit());
  if (state_.persistent_space != nullptr)
    state_.persistent_space->EndCollection(CollectionKind::kSlice);
  ResumeWorld();
  ++state_.counters.old_slices;
  state_.counters.phase_ns_total[static_cast<size_t>(Phase::kOld)] +=
      MonotonicNanoseconds() - pause_.start_ns;
  EndPause("slice");
}

void Heap::BeginPause() {
  // A system call. If another process is due to run, it runs here, before the pause begins.
  pause_.start_processor_ns = ProcessorNanoseconds();
  pause_.start_ns = MonotonicNanoseconds();
  pause_.bytes = HeapBytes();
  memcpy(pause_.phase_ns_total, state_.counters.phase_ns_total, sizeof pause_.phase_ns_total);
}

void Heap::EndPause(const char* what) {
  const uint64_t end_ns = MonotonicNanoseconds();
  state_.pacer.PauseEnded(pause_.start_ns, end_ns);
  const uint64_t pause_us = (end_ns - pause_.start_ns) / 1000;
  state_.counters.pause_us_total += pause_us;
  state_.counters.pause_us_max = std::max(state_.counters.pause_us_max, pause_us);
  pauses_.Record(pause_us);
  const uint64_t processor_us = (ProcessorNanoseconds() - pause_.start_processor_ns) / 1000;
  state_.counters.pause_processor_us_total += processor_us;
  state_.counters.pause_processor_us_max =
      std::max(state_.counters.pause_processor_us_max, processor_us);
  processor_pauses_.Record(processor_us);
  if (!state_.options.trace) return;
  // The pause may be inside a longer stop: no stdio.
  char line[512];
  size_t length = 0;
  const auto append = [&]<typename... Values>(const char* format, Values... values) {
    length += static_cast<size_t>(snprintf(line + length, sizeof line - length, format, values...));
  };
  append("gc: %s, %zu KB to %zu KB, %llu us, %llu of a processor", what, pause_.bytes >> 10,
         HeapBytes() >> 10, static_cast<unsigned long long>(pause_us),
         static_cast<unsigned long long>(processor_us));
  for (size_t i = 0; i < kPhases; ++i) {
    const uint64_t us = (state_.counters.phase_ns_total[i] - pause_.phase_ns_total[i]) / 1000;
    if (us != 0) append(", %s %llu", kPhaseNames[i], static_cast<unsigned long long>(us));
  }
  append("\n");
  WriteToStandardError({line, length});
}

void Heap::Verify() {
  const HeapEntry guard(lock_);
  StopWorld();
  Verifier(state_, old_, weak_refs_).CheckOrAbort("on request");
  ResumeWorld();
}

// The thread keeps the lock from the first StopWorld to the last ResumeWorld, which the analysis
// cannot follow.
void Heap::StopWorld() TN_NO_LOCK_ANALYSIS {
  if (!lock_.HeldByThisThread()) {
    lock_.lock();
    stop_took_lock_ = true;
  }
  state_.roots.StopWorld();
  if (stops_++ > 0) return;
  for (const Region& rest : abandoned_) rest.Fill(state_.persistent_space);
  abandoned_.Truncate(0);
  state_.buffers.ForEach([&](AllocationBuffer& buffer) {
    if (!state_.roots.IsInterrupted(*buffer.state)) return buffer.MakeWalkable();
    buffer.Suspend();
    ++state_.interrupted;
    if (const Region region = buffer.Load(); region.bytes() > 0) {
      state_.pages.Of(region.pointer).open = true;
    }
  });
}

void Heap::ResumeWorld() TN_NO_LOCK_ANALYSIS {
  if (--stops_ == 0) {
    if (state_.interrupted > 0) {
      state_.buffers.ForEach([&](AllocationBuffer& buffer) {
        if (!buffer.suspended) return;
        if (const Region region = buffer.Load(); region.bytes() > 0) {
          state_.pages.Of(region.pointer).open = false;
        }
        buffer.Resume(state_.persistent_space);
      });
      state_.interrupted = 0;
    }
  }
  state_.roots.ResumeWorld();
  if (stops_ == 0 && std::exchange(stop_took_lock_, false)) lock_.unlock();
}

Ref Heap::ObjectContaining(const void* interior) const {
  if (!pages().InUse(interior)) return nullptr;
  const size_t index = state_.pages.FirstOfRun(state_.pages.IndexOf(interior));
  char* begin = state_.pages.Begin(index);
  auto* at = static_cast<const char*>(interior);
  if (state_.pages.At(index).kind != PageKind::kObjects) {
    const Ref object = begin + abi::kHeaderBytes;
    return at < begin + ObjectBytes(object) ? object : nullptr;
  }
  Ref found = nullptr;
  ForEachObjectBetween(begin, begin + abi::kPageBytes, [&](ObjectHeader* header) {
    char* object = reinterpret_cast<char*>(header) + abi::kHeaderBytes;
    if (at >= reinterpret_cast<char*>(header) &&
        at < object - abi::kHeaderBytes + ObjectBytes(object)) {
      found = object;
    }
  });
  return found;
}

void Heap::ForEachObjectOnPage(const void* page, void (*visit)(void* context, Ref object),
                               void* context) const {
  if (!pages().InUse(page)) return;
  const size_t index = state_.pages.IndexOf(page);
  char* begin = state_.pages.Begin(index);
  switch (state_.pages.At(index).kind) {
    case PageKind::kLargeRest: return;
    case PageKind::kLargeFirst: visit(context, begin + abi::kHeaderBytes); return;
    case PageKind::kObjects: break;
  }
  ForEachObjectBetween(begin, begin + abi::kPageBytes, [&](ObjectHeader* header) {
    visit(context, reinterpret_cast<char*>(header) + abi::kHeaderBytes);
  });
}

HeapStats Heap::stats() const {
  const HeapEntry guard(lock_);
  HeapStats stats = state_.counters;
  stats.pause_us_p50 = pauses_.Percentile(50);
  stats.pause_us_p99 = pauses_.Percentile(99);
  stats.pause_processor_us_p50 = processor_pauses_.Percentile(50);
  stats.pause_processor_us_p99 = processor_pauses_.Percentile(99);
  stats.heap_bytes = HeapBytes();
  stats.peak_heap_bytes = state_.page_allocator.peak_used_bytes();
  stats.resident_bytes = state_.page_allocator.resident_bytes();
  ForEachPage([&](void*, const PageDescriptor& page) {
    (page.generation == Generation::kYoung ? stats.young_bytes : stats.old_bytes) +=
        abi::kPageBytes;
    if (page.kind != PageKind::kObjects) stats.large_bytes += abi::kPageBytes;
  });
  return stats;
}

}  // namespace tenure::gc
