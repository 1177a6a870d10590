// The names of a program's procedures, by which stores keep procedure values.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "abi/program.h"

namespace tenure::stabilize {

// Procedures by address and by name, for procedure values (design.md section 5, "Types"). The
// tables are made at the first question: few programs store any. With the session's lock.
class ProcedureNames {
 public:
  explicit ProcedureNames(const abi::ProgramInfo* program) : program_(program) {}
  // "Interface.Proc SIGNATURE", as the store has it; null: no top-level procedure.
  const std::string* NameOf(void* code) const;
  // Null: the program has none of this name and signature that is called in this way
  // (abi::ProcedureInfo::shape; 0: in any).
  void* CodeOf(const std::string& name, uint32_t shape) const;

 private:
  void Make() const;

  mutable const abi::ProgramInfo* program_;  // null: the tables are made, or there is none
  mutable std::unordered_map<const void*, std::string> names_;
  mutable std::unordered_map<std::string, const abi::ProcedureInfo*> procedures_;
};

}  // namespace tenure::stabilize
