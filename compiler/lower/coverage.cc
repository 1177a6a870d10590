#include "compiler/lower/coverage.h"

#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "abi/coverage.h"

namespace tenure::compiler {

namespace {

std::string PlaceOf(SourceSpan span) {
  return std::string(span.start().path()) + "\t" + std::to_string(span.line());
}

}  // namespace

CoverageCounters::CoverageCounters(llvm::Module& module) : module_(module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::StructType::get(context, {pointer, word, pointer, word});
  // The run time changes where the counters are, before any code of the program runs.
  unit_ = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                   llvm::ConstantAggregateZero::get(type), "tn_coverage_unit");
  unit_->setSection(abi::kCoverageSection);
  unit_->setAlignment(llvm::Align(8));
}

void CoverageCounters::Count(llvm::IRBuilderBase& builder, const std::string& line) {
  llvm::Type* word = llvm::Type::getInt64Ty(module_.getContext());
  llvm::Type* pointer = llvm::PointerType::get(module_.getContext(), 0);
  // Volatile, so that the counts of a loop are there when the loop is left by a trap.
  llvm::Value* counters = builder.CreateLoad(pointer, unit_, /*isVolatile=*/true);
  llvm::Value* counter = builder.CreateConstGEP1_64(word, counters, count_++);
  llvm::Value* value = builder.CreateLoad(word, counter, /*isVolatile=*/true);
  builder.CreateStore(builder.CreateAdd(value, llvm::ConstantInt::get(word, 1)), counter,
                      /*isVolatile=*/true);
  map_ += line + "\n";
}

void CoverageCounters::CountStatement(llvm::IRBuilderBase& builder, SourceSpan span) {
  Count(builder, "L\t" + PlaceOf(span) + "\t" + std::to_string(span.column()));
}

void CoverageCounters::CountBranch(llvm::IRBuilderBase& builder, SourceSpan span, size_t n) {
  Count(builder,
        "B\t" + PlaceOf(span) + "\t" + std::to_string(span.column()) + "\t" + std::to_string(n));
}

void CoverageCounters::CountProcedure(llvm::IRBuilderBase& builder, SourceSpan span,
                                      const std::string& name) {
  Count(builder, "P\t" + PlaceOf(span) + "\t" + name);
}

void CoverageCounters::Finish() {
  if (count_ == 0) {
    unit_->eraseFromParent();
    return;
  }
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  auto* counters_type = llvm::ArrayType::get(word, count_);
  auto* counters = new llvm::GlobalVariable(
      module_, counters_type, false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantAggregateZero::get(counters_type), "tn_coverage_counters");
  llvm::Constant* text = llvm::ConstantDataArray::getString(context, map_, /*AddNull=*/false);
  auto* map = new llvm::GlobalVariable(module_, text->getType(), true,
                                       llvm::GlobalValue::InternalLinkage, text, "tn_coverage_map");
  unit_->setInitializer(
      llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(unit_->getValueType()),
                                {counters, llvm::ConstantInt::get(word, count_), map,
                                 llvm::ConstantInt::get(word, map_.size())}));
  llvm::appendToCompilerUsed(module_, {unit_});
}

}  // namespace tenure::compiler
