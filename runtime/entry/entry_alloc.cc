// Entry points of compiled code for allocation.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "abi/entry_points.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/heap/allocation.h"
#include "runtime/heap/stack_roots.h"

using tenure::abi::Ref;
using tenure::abi::TypeDescriptor;
using namespace tenure::runtime;

extern "C" Ref tn_allocate_slow(const TypeDescriptor* type, uint64_t payload_bytes) {
  // Code without optimisation always comes here.
  const Ref object = AllocateObjectAtOnce(*type, payload_bytes);
  if (object != nullptr) return object;
  RecordCaller();
  return AllocateObjectForCode(*type, payload_bytes, __builtin_return_address(0));
}

extern "C" Ref tn_allocate_array(const TypeDescriptor* type, const int64_t* lengths) {
  const Ref object = AllocateArrayAtOnce(*type, lengths);
  if (object != nullptr) return object;
  RecordCaller();
  return AllocateArrayForCode(*type, lengths, __builtin_return_address(0));
}

// The header of an untraced object lies in the 16 bytes before it, so that malloc's alignment is
// kept.
extern "C" void* tn_allocate_untraced(const TypeDescriptor* type_or_null, uint64_t bytes) {
  constexpr uint64_t kPrefixBytes = 16;
  const uint64_t prefix = type_or_null == nullptr ? 0 : kPrefixBytes;
  uint64_t total = 0;
  char* block = nullptr;
  if (!__builtin_add_overflow(bytes == 0 ? 1 : bytes, prefix, &total)) {
    block = static_cast<char*>(std::calloc(1, total));
  }
  if (block == nullptr) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "out of memory: the system gives this process no block of %" PRIu64 " bytes",
                  bytes);
    RaiseRuntimeError(tenure::abi::RuntimeErrorCode::kOutOfMemory, text,
                      {nullptr, 0, __builtin_return_address(0)});
  }
  char* object = block + prefix;
  if (type_or_null != nullptr) {
    tenure::abi::ObjectHeader::Of(object)->word = tenure::abi::ObjectHeader::ForType(type_or_null);
  }
  return object;
}

extern "C" void tn_dispose_untraced(void* address, uint32_t is_object) {
  if (address == nullptr) return;
  std::free(is_object != 0 ? static_cast<char*>(address) - 16 : address);
}
