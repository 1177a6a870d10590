// Heap, the facade of the collector: what the run time and stabilize/ use.
//
// A program has one (tests several, one after the other). Everything that a mutator calls takes the
// heap's lock; a thread may be stopped for a collection while it waits for that lock, never while
// it holds it. gc/README.md walks through one collection.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "abi/mutator_state.h"
#include "abi/object_header.h"
#include "base/result.h"
#include "gc/allocation_buffer.h"
#include "gc/heap_lock.h"
#include "gc/heap_state.h"
#include "gc/old_collection.h"
#include "gc/options.h"
#include "gc/page_table.h"
#include "gc/pause_log.h"
#include "gc/persistent_space.h"
#include "gc/raw_array.h"
#include "gc/roots.h"
#include "gc/stats.h"
#include "gc/weak_refs.h"

namespace tenure::gc {

class HelperThreads;

class Heap {
 public:
  // `roots` outlives the heap. Fails with kNoMemory when addresses cannot be reserved,
  // kInvalidArgument for options that cannot be.
  static Result<std::unique_ptr<Heap>> Create(const HeapOptions& options, RootSource& roots);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Null: no database is open. Not during a collection. The space outlives its stay here.
  void SetPersistentSpace(PersistentSpace* space);

  // --- Mutators ---

  // Between the two calls the thread may allocate; `state` outlives RemoveMutator. AddMutator
  // leaves the pointers in `state` null.
  Status AddMutator(abi::MutatorState& state);
  void RemoveMutator(abi::MutatorState& state);

  // Makes an object: its header is set, its payload is zero. `payload_bytes` is
  // abi::PayloadBytes(type). For a type with an open array tail, `lengths` are its open_dimensions
  // lengths, stored before the collector can see the object. Refills the mutator's buffer or makes
  // a large object, and collects first if the pacer says so. kNoMemory: even a major collection did
  // not make room; the heap stays usable.
  Result<abi::Ref> AllocateSlow(abi::MutatorState& state, const abi::TypeDescriptor& type,
                                size_t payload_bytes, const int64_t* lengths = nullptr);

  // Closes the mutator's buffer: a filler takes the rest, both pointers become null, and the next
  // allocation of this mutator begins on another page (unless a collection reuses this one).
  void RetireBuffer(abi::MutatorState& state);
  // The same for all mutators, which are stopped. At a commit (stabilize/).
  void RetireAllBuffers();

  // Any mutator thread may call these; they stop the world themselves.
  void CollectMinor() { Collect(CollectionKind::kMinor); }
  void CollectMajor() { Collect(CollectionKind::kMajor); }
  void Collect(CollectionKind kind);

  // StopWorld stops all other mutators and takes the heap's lock; calls nest. Until ResumeWorld the
  // calling thread may call every function of the heap. For commits (stabilize/) and the end of the
  // process.
  void StopWorld();
  void ResumeWorld();
  // While a WithoutStops exists, no other thread stops the world, so this thread is not stopped.
  // For short sections that hold a lock which a thread that stops the world may take. No allocation
  // in them.
  class WithoutStops {
   public:
    explicit WithoutStops(Heap& heap) : entry_(heap.lock_) {}

   private:
    HeapEntry entry_;
  };

  // While disabled no collection runs: allocation grows the heap up to its limit, and Collect does
  // nothing. They nest. Any thread.
  void DisableCollections() { disabled_.fetch_add(1, std::memory_order_relaxed); }
  void EnableCollections() { disabled_.fetch_sub(1, std::memory_order_relaxed); }

  // Whether a child transaction is open: its abort puts objects back as they were when it began
  // (stabilize/session/nesting.cc), whichever thread has written to them.
  void SetChildTransaction(bool open) { child_transaction_.store(open, std::memory_order_relaxed); }
  bool child_transaction() const { return child_transaction_.load(std::memory_order_relaxed); }

  // --- Questions ---
  // Any thread. These are about the transient heap: false or null for NIL, literals, frames.

  // Inside the range reserved for the heap.
  bool Contains(const void* address) const { return pages().Contains(address); }
  bool IsYoung(const void* object) const { return pages().IsYoung(object); }
  bool IsOld(const void* object) const { return pages().IsOld(object); }

  // The object whose header or payload has this address, or null (a filler). Walks the page from
  // its start: no collection may run during the call, and no thread may have the page as its buffer
  // unless the world is stopped.
  abi::Ref ObjectContaining(const void* interior) const;

  // The descriptor of the page of an address that the heap contains; else null.
  const PageDescriptor* PageOf(const void* address) const {
    return Contains(address) ? &pages().Of(address) : nullptr;
  }
  // The pages on which an object lies.
  using PageRange = PageTable::PageRange;
  PageRange PagesOf(const void* object) const { return pages().PagesOf(object); }

  // Calls visit(abi::Ref) for each object on the page, in address order, dead ones that no
  // collection has removed included. `page` is any address on it. When: as ObjectContaining.
  template <typename Visit>
  void ForEachObjectOnPage(const void* page, Visit&& visit) const {
    ForEachObjectOnPage(
        page, [](void* context, abi::Ref object) { (*static_cast<Visit*>(context))(object); },
        const_cast<void*>(static_cast<const void*>(&visit)));
  }
  // Calls visit(void* page_begin, const PageDescriptor&) for each page in use.
  template <typename Visit>
  void ForEachPage(Visit&& visit) const {
    for (size_t i = 0; i < pages().high_water(); ++i) {
      if (pages().At(i).space != Space::kFree) visit(pages().Begin(i), pages().At(i));
    }
  }

  // With the world stopped: visit(const void* word) for every word that may hold a reference of the
  // program to something outside the heap: on stacks, in globals, on pages in use (dead objects
  // included), in weak references.
  template <typename Visit>
  void ForEachHeldWord(Visit&& visit);

  // What pages may use at most now.
  size_t MaxBytes() const { return state_.page_allocator.max_bytes(); }
  // Bytes of pages in use.
  size_t HeapBytes() const { return state_.page_allocator.used_bytes(); }
  HeapStats stats() const;

  // How many collections there were; cheaper than stats().
  uint64_t collections() const {
    return state_.counters.minor_collections + state_.counters.major_collections;
  }
  const HeapOptions& options() const { return state_.options; }

  // Weak references to objects of the heap and of frames; see there for its rules on threads.
  WeakRefs& weak_refs() { return weak_refs_; }

  // Stops the world and checks every invariant of the heap (gc/verifier.h); prints the first error
  // and aborts if there is one.
  void Verify();

 private:
  Heap(const HeapOptions& options, RootSource& roots);
  Status Initialize();

  const PageTable& pages() const { return state_.pages; }
  void ForEachObjectOnPage(const void* page, void (*visit)(void* context, abi::Ref object),
                           void* context) const;

  // Retires the buffer. While other threads run, stores nothing to a governed page: the page may be
  // protected, and opening it for the run time would open it for all threads.
  void CloseBuffer(AllocationBuffer& buffer) TN_REQUIRES(lock_);
  void CollectLocked(CollectionKind kind) TN_REQUIRES(lock_);
  void CollectStopped(CollectionKind kind, HelperThreads& helpers) TN_REQUIRES(lock_);
  // Memory for `bytes` (header included), zeroed if it is a large object; null when there is no
  // free page.
  char* Allocate(AllocationBuffer& buffer, size_t bytes) TN_REQUIRES(lock_);
  char* TakeFromBuffer(AllocationBuffer& buffer, size_t bytes) TN_REQUIRES(lock_);
  char* AllocateSmall(AllocationBuffer& buffer, size_t bytes) TN_REQUIRES(lock_);
  char* AllocateLarge(size_t bytes, bool may_use_reserve) TN_REQUIRES(lock_);
  // A gap, or a page; empty when there is no free memory. Returned in registers.
  Region FreePlace(size_t bytes_needed, bool may_use_reserve) TN_REQUIRES(lock_);
  Region TakeGap(size_t bytes_needed) TN_REQUIRES(lock_);
  // A pause for a slice of the old generation's collection.
  void StepOldCollection() TN_REQUIRES(lock_);
  void BeginPause() TN_REQUIRES(lock_);
  void EndPause(const char* what) TN_REQUIRES(lock_);
  // How many helper threads a full collection may have.
  size_t HelpersWanted(CollectionKind kind) const TN_REQUIRES(lock_);

  static constexpr size_t kTellsEvery = 512 << 10;

  mutable HeapLock lock_;
  HeapState state_;
  OldCollection old_{state_};
  WeakRefs weak_refs_;
  // Ends of governed pages that CloseBuffer has left: they become fillers in the next stop.
  RawArray<Region> abandoned_;
  size_t tells_at_ = kTellsEvery;  // bytes allocated before the next AllocatedAtFirst
  size_t stops_ = 0;               // calls of StopWorld without ResumeWorld
  bool stop_took_lock_ = false;    // else the caller of the first StopWorld had it

  std::atomic<int64_t> disabled_{0};
  std::atomic<bool> child_transaction_{false};
  uint64_t stress_countdown_ = 0;
  uint64_t stress_collections_ = 0;
  PauseLog pauses_;
  PauseLog processor_pauses_;
  struct {
    uint64_t start_ns;
    uint64_t start_processor_ns;
    size_t bytes;
    uint64_t phase_ns_total[kPhases];
  } pause_;  // the present pause: the values when it began
};

template <typename Visit>
void Heap::ForEachHeldWord(Visit&& visit) {
  struct Visitor final : AmbiguousRootVisitor, ExactRootVisitor {
    explicit Visitor(Visit& visit) : visit(visit) {}
    void VisitWords(const void* begin, const void* end) override {
      constexpr uintptr_t kWord = sizeof(void*);
      auto at = (reinterpret_cast<uintptr_t>(begin) + kWord - 1) / kWord * kWord;
      for (; at + kWord <= reinterpret_cast<uintptr_t>(end); at += kWord) {
        visit(*reinterpret_cast<const void* const*>(at));
      }
    }
    void VisitWord(uintptr_t word) override { visit(reinterpret_cast<const void*>(word)); }
    void VisitSlot(abi::Ref* slot) override { visit(static_cast<const void*>(*slot)); }
    Visit& visit;
  } visitor(visit);
  state_.roots.VisitAmbiguousRoots(visitor);
  state_.roots.VisitExactRoots(visitor);
  ForEachPage([&](void* begin, const PageDescriptor&) {
    visitor.VisitWords(begin, static_cast<char*>(begin) + abi::kPageBytes);
  });
  weak_refs_.ForEachObject([&](const void* object) { visit(object); });
}

}  // namespace tenure::gc
