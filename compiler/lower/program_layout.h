// The state that the lowering of all units of a program shares: fingerprints, and the program's
// type descriptors with their typecodes.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/check/checked_unit.h"
#include "compiler/lower/imported_bodies.h"
#include "compiler/types/fingerprint.h"

namespace tenure::compiler {

class ProgramLayout {
 public:
  explicit ProgramLayout(const Program& program);

  struct Descriptor {
    const Type* type = nullptr;  // kNull, kRefany, kRef or kObject
    uint64_t fingerprint = 0;
    uint32_t last_subtype = 0;
    int supertype = -1;  // object types: index of the supertype's descriptor; -1: none
    std::string name;
  };
  // By typecode: NULL, REFANY, traced references, ROOT and below, then the same of transient ones,
  // untraced objects. A supertype comes before its subtypes, which are contiguous.
  const std::vector<Descriptor>& descriptors() const { return descriptors_; }

  const ImportedBodies& imported_bodies() const { return imported_bodies_; }

  uint64_t FingerprintOf(const Type* type) const { return fingerprints_.Of(type); }
  // Link name of the type's descriptor: traced references, REFANY, NULL, object types, opaque ones
  // above these.
  std::string SymbolOf(const Type* type) const { return SymbolOf(FingerprintOf(type)); }
  static std::string SymbolOf(uint64_t fingerprint);

  // abi::ProcedureInfo::shape.
  uint32_t ShapeOf(const ProcedureType* type) const;

 private:
  Fingerprints fingerprints_;
  ImportedBodies imported_bodies_;
  std::vector<Descriptor> descriptors_;
};

}  // namespace tenure::compiler
