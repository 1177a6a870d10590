// libgc (Boehm & Weiser 1988) behind the run time's allocation interface. It scans all its memory
// conservatively and moves no object; it finds globals and stacks without help.

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS

#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <pthread.h>

#include <csignal>
#include <cstring>
#include <new>
#include <vector>

#include "base/metrics.h"
#include "base/mutex.h"
#include "gc/pause_log.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/heap/other_collector.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/threads.h"

namespace tenure::runtime {
namespace {

using abi::Ref;

// An object's block begins with its header.
void* BlockOf(Ref object) { return static_cast<char*>(object) - abi::kHeaderBytes; }
Ref ObjectIn(void* block) { return static_cast<char*>(block) + abi::kHeaderBytes; }

// --- Roots that libgc does not find ---

class Pusher final : public gc::ExactRootVisitor {
 public:
  void VisitSlot(Ref* slot) override { GC_push_all_eager(slot, slot + 1); }
};

void PushRange(void*, const void* begin, const void* end) {
  GC_push_all_eager(const_cast<void*>(begin), const_cast<void*>(end));
}

GC_push_other_roots_proc push_thread_stacks = nullptr;

// Called with the world stopped, perhaps in the middle of a change of the lists of mutators and of
// starting threads: these change by one store each, so they can be walked at any time.
void PushRoots() {
  if (push_thread_stacks != nullptr) push_thread_stacks();
  Pusher pusher;
  Mutator::ForEach([&](Mutator& mutator) {
    pusher.VisitSlot(&mutator.thread_object);
    ForEachArgument(mutator, PushRange, nullptr);
    // The thread is on its emergency stack, which libgc takes for the whole stack.
    const uintptr_t interrupted = mutator.interrupted_stack;
    if (interrupted >= mutator.stack_low() && interrupted < mutator.stack_high()) {
      PushRange(nullptr, reinterpret_cast<void*>(interrupted & ~uintptr_t{7}),
                reinterpret_cast<void*>(mutator.stack_high()));
    }
  });
  VisitStartingThreads(pusher);
}

void RegisterStacks(const Mutator& mutator) {
  GC_register_altstack(reinterpret_cast<void*>(mutator.stack_low()),
                       mutator.stack_high() - mutator.stack_low(),
                       reinterpret_cast<void*>(mutator.emergency_low()),
                       mutator.emergency_high() - mutator.emergency_low());
}

// --- Pauses ---

gc::PauseLog pauses;
uint64_t pause_began_ns = 0;
uint64_t pause_us_total = 0;
uint64_t pause_us_max = 0;

// With libgc's lock.
void OnCollectionEvent(GC_EventType event) {
  if (event == GC_EVENT_PRE_STOP_WORLD) pause_began_ns = MonotonicNanoseconds();
  if (event != GC_EVENT_POST_START_WORLD) return;
  const uint64_t pause_us = (MonotonicNanoseconds() - pause_began_ns) / 1000;
  pause_us_total += pause_us;
  if (pause_us > pause_us_max) pause_us_max = pause_us;
  pauses.Record(pause_us);
}

// --- All objects ---

struct Visit {
  void (*visit)(void* context, Ref object);
  void* context;
};

// Blocks whose first word is not an object's header are the run time's own.
void VisitBlock(void* block, size_t bytes, void* visit) {
  const uint64_t header = *static_cast<uint64_t*>(block);
  if (bytes < abi::kHeaderBytes + abi::kMinPayloadBytes || header == 0) return;
  const Ref object = ObjectIn(block);
  if (!Runtime::Get().types().IsDescriptor(abi::ObjectHeader::Of(object)->type())) return;
  static_cast<Visit*>(visit)->visit(static_cast<Visit*>(visit)->context, object);
}

void* VisitBlocks(void* visit) {
  GC_enumerate_reachable_objects_inner(VisitBlock, visit);
  return nullptr;
}

// --- Weak references ---

struct WeakEntry {
  // The object's block disguised (GC_HIDE_POINTER); null when it is dead. libgc clears it when the
  // object is not reached even from objects that wait for their clean-up.
  void* hidden_block;
  uint64_t id;
  uint64_t cookie;
  WeakEntry* next;  // of the same object, with a clean-up
};

// A waiting clean-up. libgc scans it and keeps it.
struct Waiting {
  gc::WeakRefs::Cleanup cleanup;
  Waiting* next;
};

Mutex weak_mutex;                                           // all below
std::vector<WeakEntry*> entries TN_GUARDED_BY(weak_mutex);  // by id - 1
Waiting* first_waiting TN_GUARDED_BY(weak_mutex) = nullptr;
Waiting** last_waiting TN_GUARDED_BY(weak_mutex) = &first_waiting;

void LockWeak() TN_ACQUIRE(weak_mutex) { weak_mutex.lock(); }
void UnlockWeak() TN_RELEASE(weak_mutex) { weak_mutex.unlock(); }

// Called by QueueCleanups: libgc has found the object unreachable; no other waiting one reaches it.
void Finalize(void* block, void* first) TN_REQUIRES(weak_mutex) {
  for (auto* entry = static_cast<WeakEntry*>(first); entry != nullptr; entry = entry->next) {
    GC_unregister_long_link(&entry->hidden_block);
    entry->hidden_block = nullptr;
    auto* waiting = static_cast<Waiting*>(GC_MALLOC_UNCOLLECTABLE(sizeof(Waiting)));
    if (waiting == nullptr) continue;  // no memory: the clean-up is lost
    *waiting = {{ObjectIn(block), entry->id, entry->cookie}, nullptr};
    *last_waiting = waiting;
    last_waiting = &waiting->next;
  }
}

void QueueCleanups() {
  if (GC_should_invoke_finalizers() != 0) GC_invoke_finalizers();
}

// Called with libgc's lock, so that no collection comes between the look and the result.
void* Reveal(void* entry) {
  void* hidden = static_cast<WeakEntry*>(entry)->hidden_block;
  return hidden == nullptr ? nullptr : GC_REVEAL_POINTER(reinterpret_cast<GC_word>(hidden));
}

// --- The collector ---

class BoehmCollector final : public OtherCollector {
 public:
  const char* name() const override { return "boehm"; }

  Status Start(const Options& options) override {
    // Its own choice is our stop signal.
    GC_set_suspend_signal(StopSignal());
    GC_set_thr_restart_signal(SIGRTMIN + 7);
    GC_set_handle_fork(1);
    GC_set_all_interior_pointers(1);
    GC_set_finalize_on_demand(1);
    GC_set_java_finalization(0);
    GC_INIT();
    GC_set_warn_proc(GC_ignore_warn_proc);
    GC_allow_register_threads();
    GC_set_finalizer_notifier(WakeCleaner);
    GC_set_on_collection_event(OnCollectionEvent);
    push_thread_stacks = GC_get_push_other_roots();
    GC_set_push_other_roots(PushRoots);
    if (options.heap_bytes_max != 0) GC_set_max_heap_size(options.heap_bytes_max);
    if (options.gc_disabled) GC_disable();
    stress_interval_ = options.gc_stress_interval;
    RegisterStacks(*Mutator::Current());
    if (pthread_atfork(LockWeak, UnlockWeak, UnlockWeak) != 0) {
      return Status(StatusCode::kNoMemory, "no memory for the handlers of fork");
    }
    return Status::Ok();
  }

  Status AddThread(Mutator& mutator) override {
    GC_stack_base base;
    if (GC_get_stack_base(&base) != GC_SUCCESS || GC_register_my_thread(&base) != GC_SUCCESS) {
      return Status(StatusCode::kExists, "libgc knows this thread already");
    }
    RegisterStacks(mutator);
    return Status::Ok();
  }
  void RemoveThread() override { GC_unregister_my_thread(); }

  Ref Allocate(const abi::TypeDescriptor& type, size_t payload_bytes,
               const int64_t* lengths) override {
    if (stress_interval_ != 0 &&
        __atomic_add_fetch(&allocations_, 1, __ATOMIC_RELAXED) % stress_interval_ == 0) {
      GC_gcollect();
    }
    const size_t bytes = abi::kHeaderBytes + abi::PayloadRoom(payload_bytes);
    const bool pure = (type.flags & abi::kTypePure) != 0;
    void* block = pure ? GC_malloc_atomic(bytes) : GC_malloc(bytes);
    if (block == nullptr) return nullptr;
    if (pure) std::memset(block, 0, bytes);
    const Ref object = ObjectIn(block);
    abi::ObjectHeader::Of(object)->word = abi::ObjectHeader::ForType(&type);
    if (lengths != nullptr) {
      std::memcpy(abi::OpenLengths(type, object), lengths, 8 * size_t{type.open_dimensions});
    }
    return object;
  }

  void Collect() override { GC_gcollect(); }
  void DisableCollections() override { GC_disable(); }
  void EnableCollections() override { GC_enable(); }

  gc::HeapStats stats() override {
    gc::HeapStats stats;
    stats.major_collections = GC_get_gc_no();
    stats.bytes_allocated = GC_get_total_bytes();
    stats.heap_bytes = GC_get_heap_size();
    stats.old_bytes = stats.heap_bytes - GC_get_free_bytes();
    stats.resident_bytes = stats.heap_bytes - GC_get_unmapped_bytes();
    stats.peak_heap_bytes = stats.heap_bytes;  // it does not shrink
    stats.pause_us_total = pause_us_total;
    stats.pause_us_max = pause_us_max;
    stats.pause_us_p50 = pauses.Percentile(50);
    stats.pause_us_p99 = pauses.Percentile(99);
    return stats;
  }

  void VisitObjects(void (*visit)(void* context, Ref object), void* context) override {
    GC_gcollect();
    Visit what = {visit, context};
    GC_call_with_alloc_lock(VisitBlocks, &what);
  }

  uint64_t RegisterWeak(Ref object, uint64_t cookie, bool wants_cleanup) override {
    void* const block = BlockOf(object);
    // A literal is not libgc's and never dies: its entry keeps the address.
    const bool in_heap = GC_base(block) == block;
    MutexLock guard(weak_mutex);
    auto* entry = new (std::nothrow) WeakEntry{reinterpret_cast<void*>(GC_HIDE_POINTER(block)),
                                               entries.size() + 1, cookie, nullptr};
    TN_CHECK(entry != nullptr);
    entries.push_back(entry);
    if (!in_heap) return entry->id;
    GC_register_long_link(&entry->hidden_block, block);
    if (!wants_cleanup) return entry->id;
    GC_finalization_proc old_procedure = nullptr;
    void* old_first = nullptr;
    GC_register_finalizer(block, Finalize, entry, &old_procedure, &old_first);
    if (old_procedure == Finalize) {
      auto* last = static_cast<WeakEntry*>(old_first);
      while (last->next != nullptr) last = last->next;
      last->next = entry;
      GC_register_finalizer(block, Finalize, old_first, &old_procedure, &old_first);
    }
    return entry->id;
  }

  Ref WeakTarget(uint64_t id) override {
    MutexLock guard(weak_mutex);
    QueueCleanups();  // what waits is no longer referred to
    if (id == 0 || id > entries.size()) return nullptr;
    void* const block = GC_call_with_alloc_lock(Reveal, entries[id - 1]);
    return block == nullptr ? nullptr : ObjectIn(block);
  }

  bool TakeCleanup(gc::WeakRefs::Cleanup* cleanup) override {
    MutexLock guard(weak_mutex);
    QueueCleanups();
    Waiting* const waiting = first_waiting;
    if (waiting == nullptr) return false;
    first_waiting = waiting->next;
    if (first_waiting == nullptr) last_waiting = &first_waiting;
    *cleanup = waiting->cleanup;
    GC_FREE(waiting);
    return true;
  }

  bool CleanupsWait() override {
    MutexLock guard(weak_mutex);
    QueueCleanups();
    return first_waiting != nullptr;
  }

 private:
  uint64_t stress_interval_ = 0;
  uint64_t allocations_ = 0;
};

}  // namespace
}  // namespace tenure::runtime

extern "C" tenure::runtime::OtherCollector* tn_linked_collector() {
  static auto* const collector = new tenure::runtime::BoehmCollector;
  return collector;
}
