// The C side of the library's RTLayout: types, and where the references of an object lie.

#include <algorithm>
#include <cstdint>

#include "abi/entry_points.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/heap/allocation.h"
#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"

using namespace tenure::runtime;
using tenure::abi::FieldDescriptor;
using tenure::abi::Ref;
using tenure::abi::RuntimeErrorCode;
using tenure::abi::SlotKind;
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

// How many of the references lie before this offset.
uint64_t ReferencesBefore(const SlotRun* runs, uint32_t run_count, uint64_t offset) {
  uint64_t count = 0;
  for (uint32_t r = 0; r < run_count; ++r) {
    const SlotRun& run = runs[r];
    if (run.kind != SlotKind::kReference || offset <= run.offset) continue;
    const uint64_t stride = std::max<uint64_t>(run.stride, 1);
    count += std::min<uint64_t>(run.count, (offset - run.offset + stride - 1) / stride);
  }
  return count;
}

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

bool tn_layout_may_refer(int64_t typecode, bool in_element, int64_t offset, int64_t to) {
  const TypeDescriptor& type = TypeOf(typecode);
  // The fields are those of the elements, if there are any.
  if (in_element != ((type.flags & tenure::abi::kTypeOpenArray) != 0)) return true;
  const auto references_before = [&](uint64_t bit) {
    return in_element ? ReferencesBefore(type.element_runs, type.element_run_count, bit / 8)
                      : ReferencesBefore(type.slot_runs, type.slot_run_count, bit / 8);
  };
  const auto takes = [&](const TypeDescriptor* referent) {
    return tn_layout_is_subtype(to, referent->typecode);
  };
  const uint64_t bit = 8 * static_cast<uint64_t>(offset);
  for (uint32_t f = 0; f < type.field_count; ++f) {
    const FieldDescriptor& field = type.fields[f];
    const uint64_t end = uint64_t{field.bit_offset} + field.bit_size;
    if (bit < field.bit_offset || bit >= end) continue;
    // As many references as types: each has its own, in order. Otherwise there are arrays.
    const uint64_t before = references_before(field.bit_offset);
    if (references_before(end) - before == field.referent_count) {
      return takes(field.referents[references_before(bit) - before]);
    }
    return std::any_of(field.referents, field.referents + field.referent_count, takes);
  }
  return true;
}

Ref tn_layout_new(int64_t typecode, const int64_t* lengths, int64_t /*count*/) {
  const TypeDescriptor& type = TypeOf(typecode);
  const Ref object = type.open_dimensions > 0 ? AllocateArray(type, lengths) : AllocateObject(type);
  if (type.initialize != nullptr) type.initialize(object);
  return object;
}

void tn_layout_store(Ref* address, Ref ref) {
  *address = ref;
  tenure::abi::tn_mark_cards(address, sizeof *address);
}

int64_t tn_layout_moves() { return static_cast<int64_t>(Runtime::Get().heap().collections()); }

}  // extern "C"
