#include "runtime/heap/allocation.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "gc/heap.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/heap/inline_allocation.h"
#include "runtime/heap/other_collector.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/threads.h"
#include "runtime/traps/traps.h"

namespace tenure::runtime {
namespace {

// No object is longer, so that sums of sizes do not overflow.
constexpr uint64_t kPayloadBytesMax = uint64_t{1} << 46;

// The setting that limits the heap, for the user to change.
const char* WhatToChange(const Options& options) {
  if (options.heap_bytes_max != 0) return "run the program with a larger @M3maxheap=SIZE";
  if (options.memory_bytes != 0) return "run the program with a larger @M3memory=SIZE";
  return "this is what the system gives the program";
}

[[noreturn]] void RaiseForObject(uint64_t payload_bytes, const void* place) {
  char wanted[80];
  std::snprintf(wanted, sizeof wanted, "an object of %" PRIu64 " bytes", payload_bytes);
  RaiseOutOfMemory(wanted, place);
}

// False when the product does not fit.
bool TailPayloadBytes(const abi::TypeDescriptor& type, const int64_t* lengths, uint64_t& bytes) {
  // One empty dimension makes the array empty, whatever the product of the others.
  const bool empty =
      std::find(lengths, lengths + type.open_dimensions, 0) != lengths + type.open_dimensions;
  uint64_t total = empty ? 0 : type.element_bytes;
  for (uint32_t i = 0; i < type.open_dimensions && !empty; ++i) {
    if (__builtin_mul_overflow(total, static_cast<uint64_t>(lengths[i]), &total)) return false;
  }
  if (total > kPayloadBytesMax) return false;
  total += abi::ElementsOffset(type);
  bytes = abi::PayloadRoom(total);
  return true;
}

// `for_code`: the entry point has recorded its caller (RecordCaller).
abi::Ref Allocate(const abi::TypeDescriptor& type, uint64_t payload_bytes, const int64_t* lengths,
                  const void* place, bool for_code) {
  RequireStackRoom(place);
  Mutator& mutator = AttachedMutator();
  if (OtherCollector* other = LinkedCollector()) {
    const abi::Ref object = other->Allocate(type, payload_bytes, lengths);
    if (object == nullptr) RaiseForObject(payload_bytes, place);
    return object;
  }
  gc::Heap& heap = Runtime::Get().heap();
  if (!std::exchange(mutator.has_buffer, true)) {
    TN_CHECK(heap.AddMutator(mutator.state()).ok());
  }
  call_for_object.waits = for_code;
  Result<abi::Ref> object = heap.AllocateSlow(mutator.state(), type, payload_bytes, lengths);
  call_for_object.waits = false;
  if (!object.ok()) RaiseForObject(payload_bytes, place);
  return *object;
}

// Null when there is no room at hand.
abi::Ref TakeArray(const abi::TypeDescriptor& type, int64_t length) {
  if (static_cast<uint64_t>(length) > abi::kLargeObjectBytes) return nullptr;
  const size_t payload_bytes =
      abi::ElementsOffset(type) + static_cast<size_t>(length) * type.element_bytes;
  return TakeAtOnce(type, payload_bytes, [&](abi::Ref payload, size_t bytes) {
    std::memset(payload, 0, bytes);
    *static_cast<int64_t*>(payload) = length;
  });
}

abi::Ref AllocateArraySlow(const abi::TypeDescriptor& type, const int64_t* lengths,
                           const void* place, bool for_code) {
  for (uint32_t i = 0; i < type.open_dimensions; ++i) {
    if (lengths[i] < 0) {
      RaiseRuntimeError(abi::RuntimeErrorCode::kValueOutOfRange, "negative length in NEW",
                        {nullptr, 0, place});
    }
  }
  uint64_t payload_bytes = 0;
  if (!TailPayloadBytes(type, lengths, payload_bytes)) {
    char wanted[80];
    std::snprintf(wanted, sizeof wanted, "an array of %" PRId64 " elements", lengths[0]);
    RaiseOutOfMemory(wanted, place);
  }
  return Allocate(type, payload_bytes, lengths, place, for_code);
}

}  // namespace

void RaiseOutOfMemory(const char* wanted, const void* place) {
  constexpr auto kError = abi::RuntimeErrorCode::kOutOfMemory;
  Runtime& runtime = Runtime::Get();
  const size_t limit = runtime.heap().MaxBytes();
  const bool small = limit < (size_t{8} << 20);
  char text[320];
  std::snprintf(text, sizeof text, "%s: %s is wanted, and the heap may have at most %zu %s: %s",
                RuntimeErrorText(kError), wanted, limit >> (small ? 10 : 20), small ? "KB" : "MB",
                WhatToChange(runtime.options()));
  RaiseRuntimeError(kError, text, {nullptr, 0, place});
}

abi::Ref AllocateObjectAtOnce(const abi::TypeDescriptor& type, uint64_t payload_bytes) {
  return TakeAtOnce(type, payload_bytes,
                    [](abi::Ref payload, size_t bytes) { std::memset(payload, 0, bytes); });
}

abi::Ref AllocateArrayAtOnce(const abi::TypeDescriptor& type, const int64_t* lengths) {
  const bool simple = type.open_dimensions == 1 && type.payload_bytes == 0;
  return simple ? TakeArray(type, lengths[0]) : nullptr;
}

abi::Ref AllocateObjectForCode(const abi::TypeDescriptor& type, uint64_t payload_bytes,
                               const void* place) {
  return Allocate(type, payload_bytes, nullptr, place, /*for_code=*/true);
}

abi::Ref AllocateArrayForCode(const abi::TypeDescriptor& type, const int64_t* lengths,
                              const void* place) {
  return AllocateArraySlow(type, lengths, place, /*for_code=*/true);
}

abi::Ref AllocateObject(const abi::TypeDescriptor& type, const void* place) {
  const size_t payload_bytes = abi::PayloadBytes(type, nullptr);
  const abi::Ref object = AllocateObjectAtOnce(type, payload_bytes);
  return object != nullptr ? object
                           : Allocate(type, payload_bytes, nullptr, place, /*for_code=*/false);
}

abi::Ref AllocateArray(const abi::TypeDescriptor& type, const int64_t* lengths, const void* place) {
  const abi::Ref object = AllocateArrayAtOnce(type, lengths);
  return object != nullptr ? object : AllocateArraySlow(type, lengths, place, /*for_code=*/false);
}

}  // namespace tenure::runtime
