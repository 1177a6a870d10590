// All type descriptors and top-level procedures of the program.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/program.h"

namespace tenure::runtime {

// Immutable after construction; any thread. Nothing is owned: descriptors are constants of the
// program.
class TypeRegistry {
 public:
  explicit TypeRegistry(const abi::ProgramInfo& program);

  uint32_t type_count() const { return program_.type_count; }

  // Null when there is no such type or procedure.
  const abi::TypeDescriptor* ByTypecode(uint32_t typecode) const;
  const abi::TypeDescriptor* ByFingerprint(uint64_t fingerprint) const;

  // True for the address of a descriptor of this program. Reads nothing at the address.
  bool IsDescriptor(const abi::TypeDescriptor* address) const;

  // Null when no top-level procedure begins there.
  const abi::ProcedureInfo* ProcedureByCode(const void* code) const;

 private:
  const abi::ProgramInfo& program_;
  std::unordered_map<uint64_t, const abi::TypeDescriptor*> by_fingerprint_;
  std::vector<const abi::TypeDescriptor*> by_address_;  // sorted
  std::unordered_map<const void*, const abi::ProcedureInfo*> procedure_by_code_;
};

}  // namespace tenure::runtime
