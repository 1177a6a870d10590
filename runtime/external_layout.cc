// Behind the library's RTLayout: types, and where the references of an object lie.

#include <cstdint>

#include "abi/entry_points.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "runtime/allocation.h"
#include "runtime/runtime.h"
#include "runtime/runtime_errors.h"
#include "runtime/text.h"

using namespace tenure::runtime;
using tenure::abi::Ref;
using tenure::abi::RuntimeErrorCode;
using tenure::abi::SlotRun;
using tenure::abi::TypeDescriptor;

namespace {

const TypeDescriptor& TypeOf(int64_t typecode) {
  const auto& types = Runtime::Get().types();
  const TypeDescriptor* type = typecode < 0 || typecode > UINT32_MAX
                                   ? nullptr
                                   : types.ByTypecode(static_cast<uint32_t>(typecode));
  if (type == nullptr) {
    RaiseRuntimeError(RuntimeErrorCode::kValueOutOfRange, nullptr,
                      {nullptr, 0, __builtin_return_address(0)});
  }
  return *type;
}

constexpr uint32_t kTypecodeRefany = 1;

}  // namespace

extern "C" {

int64_t tn_layout_type_count() { return Runtime::Get().types().type_count(); }

bool tn_layout_is_subtype(int64_t typecode, int64_t super) {
  if (typecode == tenure::abi::kTypecodeNull || typecode == super) return true;
  if (super == kTypecodeRefany) {
    return (TypeOf(typecode).flags & tenure::abi::kTypeUntraced) == 0;
  }
  if (super == tenure::abi::kTypecodeNull) return false;
  return IsSubtype(TypeOf(typecode), TypeOf(super));
}

int64_t tn_layout_supertype(int64_t typecode) {
  const TypeDescriptor* super = TypeOf(typecode).supertype;
  return super == nullptr ? kTypecodeRefany : int64_t{super->typecode};
}

int64_t tn_layout_fingerprint(int64_t typecode) {
  return static_cast<int64_t>(TypeOf(typecode).fingerprint);
}

int64_t tn_layout_find(int64_t fingerprint) {
  const TypeDescriptor* type =
      Runtime::Get().types().ByFingerprint(static_cast<uint64_t>(fingerprint));
  return type == nullptr ? -1 : int64_t{type->typecode};
}

Ref tn_layout_name(int64_t typecode) { return NewText(TypeOf(typecode).name); }

void tn_layout_shape(int64_t typecode, int64_t* shape) {
  const TypeDescriptor& type = TypeOf(typecode);
  shape[0] = type.payload_bytes;
  shape[1] = type.open_dimensions;
  shape[2] = type.element_bytes;
  shape[3] = type.slot_run_count;
  shape[4] = type.element_run_count;
  shape[5] = typecode > kTypecodeRefany && (type.flags & tenure::abi::kTypeUntraced) == 0;
}

void tn_layout_run(int64_t typecode, bool in_element, int64_t i, int64_t* run) {
  const TypeDescriptor& type = TypeOf(typecode);
  const SlotRun& found = (in_element ? type.element_runs : type.slot_runs)[i];
  run[0] = found.offset;
  run[1] = found.count;
  run[2] = found.stride;
  run[3] = static_cast<int64_t>(found.kind);
}

Ref tn_layout_new(int64_t typecode, const int64_t* lengths, int64_t /*count*/) {
  const TypeDescriptor& type = TypeOf(typecode);
  const Ref object = type.open_dimensions > 0 ? AllocateArray(type, lengths)
                                              : AllocateObject(type, type.payload_bytes);
  if (type.initialize != nullptr) type.initialize(object);
  return object;
}

void tn_layout_store(Ref* address, Ref ref) {
  *address = ref;
  tenure::abi::tn_mark_cards(address, sizeof *address);
}

int64_t tn_layout_moves() { return static_cast<int64_t>(Runtime::Get().heap().collections()); }

}  // extern "C"
