#include "runtime/heap/type_registry.h"

#include <algorithm>
#include <functional>

namespace tenure::runtime {
namespace {

template <typename Map, typename Key>
typename Map::mapped_type Find(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

TypeRegistry::TypeRegistry(const abi::ProgramInfo& program) : program_(program) {
  for (uint32_t t = 0; t < program.type_count; ++t) {
    const abi::TypeDescriptor* type = program.types[t];
    if (type == nullptr) continue;
    by_address_.push_back(type);
    // emplace keeps what came first.
    by_fingerprint_.emplace(type->fingerprint, type);
  }
  std::sort(by_address_.begin(), by_address_.end(), std::less<>());
  for (uint32_t u = 0; u < program.unit_count; ++u) {
    const abi::UnitInfo& unit = *program.units[u];
    for (uint32_t p = 0; p < unit.procedure_count; ++p) {
      const abi::ProcedureInfo* procedure = &unit.procedures[p];
      procedure_by_code_.emplace(procedure->code, procedure);
    }
  }
}

const abi::TypeDescriptor* TypeRegistry::ByTypecode(uint32_t typecode) const {
  return typecode < program_.type_count ? program_.types[typecode] : nullptr;
}

const abi::TypeDescriptor* TypeRegistry::ByFingerprint(uint64_t fingerprint) const {
  return Find(by_fingerprint_, fingerprint);
}

bool TypeRegistry::IsDescriptor(const abi::TypeDescriptor* address) const {
  return std::binary_search(by_address_.begin(), by_address_.end(), address, std::less<>());
}

const abi::ProcedureInfo* TypeRegistry::ProcedureByCode(const void* code) const {
  return Find(procedure_by_code_, code);
}

}  // namespace tenure::runtime
