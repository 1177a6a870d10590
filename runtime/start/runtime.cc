#include "runtime/start/runtime.h"

#include <pthread.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/machine_limits.h"
#include "base/sanitizers.h"
#include "runtime/exceptions/raises_table.h"
#include "runtime/heap/other_collector.h"
#include "runtime/sessions/persistence.h"
#include "runtime/start/memory_plan.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/stack_limit.h"
#include "runtime/threads/workers.h"

namespace tenure::runtime {
namespace {

bool IsTypeDescriptor(const abi::TypeDescriptor* type) {
  return Runtime::Get().types().IsDescriptor(type);
}

// A fork copies the heap of a stopped world; in the child there is one thread. Between these calls
// the C library takes all of its own locks.
void BeforeFork() {
  Runtime::Get().roots().StopOutsideC(true);
  Runtime::Get().heap().StopWorld();
  PersistenceBeforeFork();
}

void AfterForkInParent() {
  PersistenceAfterForkInParent();
  Runtime::Get().heap().ResumeWorld();
  Runtime::Get().roots().StopOutsideC(false);
}

void AfterForkInChild() {
  gc::Heap& heap = Runtime::Get().heap();
  PersistenceAfterForkInChild();
  Mutator::ForEach([&](Mutator& mutator) {
    if (&mutator != Mutator::Current() && mutator.carried == nullptr) {
      heap.RemoveMutator(mutator.state());
    }
  });
  Workers::ForgetInChild(heap);
  Mutator::ForgetOthers();
  heap.ResumeWorld();
  Runtime::Get().roots().StopOutsideC(false);
}

}  // namespace

Runtime* Runtime::instance_ = nullptr;

Status Runtime::Create(const abi::ProgramInfo& program, const Options& options) {
  TN_CHECK(instance_ == nullptr);
  if (program.abi_version != abi::kAbiVersion) {
    return Status(StatusCode::kFormat,
                  "the program was compiled for another version of the run time",
                  program.abi_version);
  }
  BoundMainStack();
  instance_ = new Runtime(program, options);
  InstallRaisesTable(program);

  gc::HeapOptions heap_options;
  heap_options.max_heap_bytes = options.heap_bytes_max;
  // The rest of the process needs a part; a process that exceeds its control group's limit is
  // killed.
  const uint64_t memory = MemoryOf(options);
  if (options.heap_bytes_max == 0 && (options.memory_bytes != 0 || MemoryIsLimited())) {
    constexpr uint64_t kForTheRest = 32 << 20;
    constexpr uint64_t kForTheSystem = 16 << 20;
    // Without a database there are no large transactions, for which MemoryOf leaves room.
    const uint64_t all = options.memory_bytes != 0
                             ? memory
                             : MemoryBytes() - std::min(MemoryBytes() / 8, kForTheSystem);
    heap_options.max_heap_bytes = all - std::max(all / 8, std::min(all / 4, kForTheRest));
  }
  if (options.memory_bytes != 0 || MemoryIsLimited()) {
    // A transaction may make more than fits. Half of the memory is for its commit: tables take
    // about a third of what the objects take, and some megabytes. With a heap of more than four
    // times the memory, collections would wait for the disk most of the time.
    heap_options.file_memory_from_bytes = PrivateHeapOf(options);
    heap_options.max_bytes_with_files =
        options.heap_bytes_max != 0 ? options.heap_bytes_max : 4 * memory;
  }
  heap_options.shared_heap_bytes = memory / 3;
  heap_options.stress_interval = options.gc_stress_interval;
  heap_options.paranoid = options.gc_paranoid;
  heap_options.trace = options.gc_trace;
  heap_options.generational = options.gc_generational;
  heap_options.incremental = options.gc_incremental;
  heap_options.collector_threads = options.gc_threads;
  heap_options.order = options.gc_order;
  heap_options.in_place = options.gc_in_place;
  heap_options.remembering = options.gc_remembering;
  if (options.gc_nursery_bytes != 0) {
    heap_options.nursery_bytes = options.gc_nursery_bytes;
  } else {
    // A megabyte is copied in less than three quarters of a millisecond.
    const uint64_t pause_ms =
        options.gc_pause_ms != 0 ? options.gc_pause_ms : heap_options.pause_goal_ms;
    const uint64_t copied_in_a_pause = (pause_ms << 20) / 3 * 4;
    heap_options.nursery_max_bytes = std::clamp<uint64_t>(copied_in_a_pause, 1 << 20, 32 << 20);
    heap_options.nursery_bytes = std::min<uint64_t>(heap_options.nursery_max_bytes / 2, 4 << 20);
    // So that a program that keeps little stays small.
    heap_options.nursery_start_bytes = 896 << 10;
    heap_options.pause_goal_ms = static_cast<uint32_t>(pause_ms);
    heap_options.pause_goal_yields = options.gc_pause_ms == 0;
  }
  heap_options.is_type_descriptor = IsTypeDescriptor;
  TN_ASSIGN_OR_RETURN(instance_->heap_, gc::Heap::Create(heap_options, instance_->roots_));
  if (options.gc_disabled) instance_->heap_->DisableCollections();

  InstallStopHandler();
  if (pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild) != 0) {
    return Status(StatusCode::kNoMemory, "no memory for the handlers of fork");
  }
  TN_ASSIGN_OR_RETURN(Mutator* const mutator, Mutator::Attach());
  if (OtherCollector* other = LinkedCollector()) TN_RETURN_IF_ERROR(other->Start(options));
  mutator->has_buffer = true;
  TN_RETURN_IF_ERROR(instance_->heap_->AddMutator(mutator->state()));
  // Neither libgc nor the sanitizers know threads that are switched.
  if (options.threads.kind == ThreadsMode::Kind::kKernel || LinkedCollector() != nullptr ||
      kThreadSanitizer || kAddressSanitizer) {
    return Status::Ok();
  }
  return Workers::Use(options.threads);
}

}  // namespace tenure::runtime
