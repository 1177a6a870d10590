// Allocation as compiled code does it (abi/mutator_state.h), for the run time's own short paths.
#pragma once

#include <atomic>
#include <cstddef>

#include "abi/heap_constants.h"
#include "abi/mutator_state.h"
#include "abi/object_header.h"
#include "base/sanitizers.h"

namespace tenure::runtime {

// An object of the type from the room that the calling thread has at hand; null when there is none.
// fill(payload, bytes) stores all of the payload, whose length is abi::PayloadRoom's; what it
// stores needs no barrier. It neither raises nor allocates.
template <typename Fill>
inline abi::Ref TakeAtOnce(const abi::TypeDescriptor& type, size_t payload_bytes, Fill&& fill) {
  // There a thread stops where it calls the C library, as `fill` may, and its buffer is closed.
  if constexpr (kThreadSanitizer) return nullptr;
  const size_t bytes = abi::PayloadRoom(payload_bytes) + abi::kHeaderBytes;
  abi::MutatorState& state = tn_mutator;
  char* const start = state.allocation_pointer;
  if (bytes > abi::kLargeObjectBytes ||
      static_cast<size_t>(state.allocation_limit - start) < bytes) {
    return nullptr;
  }
  // A stop may come between any two instructions: what lies below the pointer is whole
  // (docs/collector.md, "Stopping").
  const abi::Ref object = start + abi::kHeaderBytes;
  abi::ObjectHeader::Of(object)->word = abi::ObjectHeader::ForType(&type);
  fill(object, bytes - abi::kHeaderBytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.allocation_pointer = start + bytes;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return object;
}

}  // namespace tenure::runtime
