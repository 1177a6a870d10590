// Another collector in the place of gc/, for experiments and as a control: `tenure build --gc=NAME`
// links one beside the run time. Objects, headers and what compiled code does stay the same; every
// allocation takes the slow path. There is no database then.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "base/result.h"
#include "gc/stats.h"
#include "gc/weak_refs.h"
#include "runtime/start/options.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {

class OtherCollector {
 public:
  virtual ~OtherCollector() = default;

  virtual const char* name() const = 0;

  // The signal by which it stops threads. Like our collector it waits while a thread handles a
  // trap: it does not know the stack of handlers.
  static int StopSignal() { return SIGRTMIN + 6; }

  // Called on the main thread, when that is a mutator and the handlers of fork are registered.
  virtual Status Start(const Options& options) = 0;

  // Called by a thread after it has become a mutator, and before it stops being one. Not by the
  // main thread.
  virtual Status AddThread(Mutator& mutator) = 0;
  virtual void RemoveThread() = 0;

  // As gc::Heap::AllocateSlow; null when memory is out.
  virtual abi::Ref Allocate(const abi::TypeDescriptor& type, size_t payload_bytes,
                            const int64_t* lengths) = 0;
  virtual void Collect() = 0;
  // They nest.
  virtual void DisableCollections() = 0;
  virtual void EnableCollections() = 0;
  virtual gc::HeapStats stats() = 0;
  // Calls visit for each object that the last collection found alive. Meanwhile neither a
  // collection nor a call of the collector is allowed.
  virtual void VisitObjects(void (*visit)(void* context, abi::Ref object), void* context) = 0;

  // As in gc::WeakRefs.
  virtual uint64_t RegisterWeak(abi::Ref object, uint64_t cookie, bool wants_cleanup) = 0;
  virtual abi::Ref WeakTarget(uint64_t id) = 0;
  virtual bool TakeCleanup(gc::WeakRefs::Cleanup* cleanup) = 0;
  virtual bool CleanupsWait() = 0;
};

}  // namespace tenure::runtime

// Null, or the collector that the program is linked with.
extern "C" tenure::runtime::OtherCollector* tn_linked_collector();

namespace tenure::runtime {

// The one that this program is linked with; null: gc/ collects.
inline OtherCollector* LinkedCollector() { return tn_linked_collector(); }

}  // namespace tenure::runtime
