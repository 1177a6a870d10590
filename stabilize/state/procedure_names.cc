#include "stabilize/state/procedure_names.h"

#include <utility>

#include "base/hex.h"

namespace tenure::stabilize {

void ProcedureNames::Make() const {
  const abi::ProgramInfo* const program = std::exchange(program_, nullptr);
  if (program == nullptr) return;
  for (uint32_t u = 0; u < program->unit_count; ++u) {
    const abi::UnitInfo& unit = *program->units[u];
    for (uint32_t p = 0; p < unit.procedure_count; ++p) {
      const abi::ProcedureInfo& procedure = unit.procedures[p];
      const std::string name =
          std::string(procedure.name) + " " + HexOf(procedure.signature_fingerprint);
      names_.insert({procedure.code, name});
      procedures_.insert({name, &procedure});
    }
  }
}

const std::string* ProcedureNames::NameOf(void* code) const {
  Make();
  const auto it = names_.find(code);
  return it == names_.end() ? nullptr : &it->second;
}

void* ProcedureNames::CodeOf(const std::string& name, uint32_t shape) const {
  Make();
  const auto it = procedures_.find(name);
  if (it == procedures_.end()) return nullptr;
  const abi::ProcedureInfo& procedure = *it->second;
  return shape == 0 || procedure.shape == shape ? const_cast<void*>(procedure.code) : nullptr;
}

}  // namespace tenure::stabilize
