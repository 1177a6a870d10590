// Allocation as compiled code does it (abi/mutator_state.h), for the run time's own short paths.
#pragma once

#include <atomic>
#include <cstddef>

#include "abi/heap_constants.h"
#include "abi/mutator_state.h"
#include "abi/object_header.h"

namespace tenure::runtime {

// A zeroed object of the type from the room that the calling thread has at hand; null when there is
// none. The first word of its payload is the length of an open array of one dimension, or 0. The
// caller holds it until it has stored the rest, which needs no barrier and no initialisation.
inline abi::Ref TakeAtOnce(const abi::TypeDescriptor& type, size_t payload_bytes, uint64_t length) {
  const size_t bytes = abi::RoundUpToGranule(payload_bytes) + abi::kHeaderBytes;
  abi::MutatorState& state = tn_mutator;
  char* const start = state.allocation_pointer;
  if (bytes > abi::kLargeObjectBytes ||
      static_cast<size_t>(state.allocation_limit - start) < bytes) {
    return nullptr;
  }
  // A stop may come between any two instructions: what lies below the pointer is whole, and above
  // it nothing is stored but these two words (docs/collector.md, "Stopping").
  *reinterpret_cast<uint64_t*>(start + abi::kHeaderBytes) = length;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const abi::Ref object = start + abi::kHeaderBytes;
  abi::ObjectHeader::Of(object)->word = abi::ObjectHeader::ForType(&type);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.allocation_pointer = start + bytes;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return object;
}

}  // namespace tenure::runtime
