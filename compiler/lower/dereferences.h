// The table of one module's dereferences (abi/dereferences.h).
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

// The bytes that an access behind a reference touches, from `offset` on.
struct DereferenceExtent {
  int64_t offset = 0, bytes = 0;
  bool is_store = false;
};

class DereferenceTable {
 public:
  // Notes that the machine code with the line table's place `place` dereferences the reference at
  // `reference` in the source.
  void Add(SourceSpan place, SourceSpan reference, const DereferenceExtent& extent);

  // Defines the table in the module.
  void Finish(llvm::Module& module) const;

 private:
  // line, offset, bytes, is a store, text
  using Entry = std::tuple<uint32_t, int64_t, int64_t, bool, std::string>;
  std::map<std::string, std::set<Entry>> files_;  // by path
};

}  // namespace tenure::compiler
