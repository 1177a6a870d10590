#include "compiler/lower/dereferences.h"

#include <llvm/IR/Constants.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "abi/dereferences.h"
#include "compiler/lower/source_words.h"

namespace tenure::compiler {

void DereferenceTable::Add(SourceSpan place, SourceSpan reference,
                           const DereferenceExtent& extent) {
  if (!place.valid() || !reference.valid()) return;
  files_[std::string(place.start().path())].emplace(place.line(), extent.offset, extent.bytes,
                                                    extent.is_store, SourceText(reference));
}

void DereferenceTable::Finish(llvm::Module& module) const {
  if (files_.empty()) return;
  std::string bytes;
  llvm::raw_string_ostream to(bytes);
  for (const auto& [path, entries] : files_) {
    to << path << '\0';
    for (const auto& [line, offset, size, is_store, text] : entries) {
      llvm::encodeULEB128(line, to);
      llvm::encodeSLEB128(offset, to);
      llvm::encodeULEB128(2 * static_cast<uint64_t>(size) + (is_store ? 1 : 0), to);
      to << text << '\0';
    }
    to << '\0';
  }
  to.flush();
  llvm::Constant* table =
      llvm::ConstantDataArray::getString(module.getContext(), bytes, /*AddNull=*/false);
  auto* variable =
      new llvm::GlobalVariable(module, table->getType(), true, llvm::GlobalValue::InternalLinkage,
                               table, "tn_dereference_table");
  variable->setSection(abi::kDereferenceSection);
  variable->setAlignment(llvm::Align(1));
  llvm::appendToCompilerUsed(module, {variable});
}

}  // namespace tenure::compiler
