// Functions, frame records and variables.

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

#include "base/hex.h"
#include "compiler/lower/function_lowering.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

constexpr int64_t kLinkOffset = 0;
constexpr int64_t kStackCopyBytesMax = 64 << 10;

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

FunctionLowering::FunctionLowering(UnitLowering& unit, Frame& frame, llvm::Function* function,
                                   bool outlined)
    : u_(unit),
      frame_(frame),
      function_(function),
      outlined_(outlined),
      b_(unit.context),
      entry_(unit.context),
      span_(frame.span) {
  auto* entry = llvm::BasicBlock::Create(u_.context, "entry", function_);
  auto* start = llvm::BasicBlock::Create(u_.context, "start", function_);
  entry_.SetInsertPoint(entry);
  // The entry block keeps the allocas; it is closed when the function is finished.
  b_.SetInsertPoint(start);
  u_.debug.SetPlace(b_, *function_, nullptr, frame.span);
}

// --- frame records ---

namespace {

// Whether the storage of the variable holds the address of its value, not the value itself.
bool IsIndirect(const Variable* variable) {
  return variable->alias || Bare(variable->type)->kind == TypeKind::kOpenArray;
}

// Whether the variable may name a component that does not begin at a byte. Formals always get whole
// variables: for a packed component they get a copy.
bool NamesBits(const Variable* variable) {
  const auto* packed = As<PackedType>(variable->type);
  return variable->alias && variable->kind != Variable::Kind::kFormal && packed != nullptr &&
         packed->bits <= 64 && TightBits(packed) <= 64;
}

// Pointer, lengths, and for an alias of a packed component its first bit.
size_t Words(const Variable* variable) {
  return 1 + OpenDimensions(Bare(variable->type)) + (NamesBits(variable) ? 1 : 0);
}

}  // namespace

FunctionLowering::Frame FunctionLowering::MakeFrame(UnitLowering& unit,
                                                    const Procedure* procedure) {
  Frame frame;
  frame.activation = &unit.captures->Of(procedure);
  if (procedure != nullptr) {
    frame.signature = &procedure->type->signature;
    frame.symbol = procedure->symbol;
    frame.name = procedure->full_name;
    frame.span = procedure->span;
  } else {
    frame.symbol = "tn_init_unit." + unit.unit->link_name + ".m3";
    frame.name = unit.unit->name + ".(body)";
  }
  const bool has_link = procedure != nullptr && UnitLowering::NeedsLink(procedure);
  const bool has_result = frame.signature != nullptr && frame.signature->result != nullptr;
  int64_t bytes = 8;
  if (has_result && frame.activation->has_try) {
    frame.result_offset = bytes;
    bytes += 8;
  }
  for (const Variable* variable : frame.activation->captured) {
    Layout layout{static_cast<int64_t>(Words(variable)) * 8, 8};
    if (!IsIndirect(variable)) layout = LayoutOf(variable->type);
    bytes = RoundUp(bytes, layout.alignment);
    frame.offsets.push_back(bytes);
    bytes += layout.bytes;
  }
  const bool passes_link = has_link && (frame.activation->has_nested || frame.activation->has_try);
  if (bytes > 8 || passes_link || frame.activation->has_closures) frame.bytes = RoundUp(bytes, 8);
  return frame;
}

void FunctionLowering::LowerProcedure(UnitLowering& unit, const Procedure* procedure) {
  Frame frame = MakeFrame(unit, procedure);
  llvm::Function* function = unit.FunctionOf(procedure);
  unit.debug.Begin(*function, procedure->full_name, procedure->span);
  FunctionLowering lowering(unit, frame, function, false);
  lowering.EnterProcedure(procedure);
  if (unit.coverage != nullptr) {
    unit.coverage->CountProcedure(lowering.b_, procedure->span, procedure->full_name);
  }
  lowering.EmitList(procedure->body);
  if (!lowering.Terminated()) {
    lowering.At(procedure->end_span);
    if (procedure->type->signature.result != nullptr) {
      lowering.Fail(
          {RuntimeErrorCode::kNoReturnValue, CheckForm::kNone,
           unit.CString("function procedure " + procedure->full_name + " ended without RETURN")});
    } else {
      lowering.b_.CreateRetVoid();
    }
  }
  lowering.FinishFunction();
}

void FunctionLowering::LowerImportedProcedure(UnitLowering& unit, const Procedure* procedure) {
  unit.captures->Add(procedure);
  llvm::Function* function = unit.FunctionOf(procedure);
  unit.in_unsafe_body = procedure->unit->is_unsafe;
  LowerProcedure(unit, procedure);
  unit.in_unsafe_body = false;
  // This body exists only for inlining. Calls that are not inlined go to the body in its own unit.
  function->setLinkage(llvm::Function::AvailableExternallyLinkage);
}

llvm::Function* FunctionLowering::LowerBody(UnitLowering& unit) {
  if (unit.unit->body.empty()) return nullptr;
  Frame frame = MakeFrame(unit, nullptr);
  if (!unit.unit->body.empty()) frame.span = unit.unit->body.front()->span;
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(unit.void_type, false),
                             llvm::Function::WeakODRLinkage, frame.symbol, *unit.module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  unit.SetAttributes(*function);
  unit.debug.Begin(*function, frame.name, frame.span);
  FunctionLowering lowering(unit, frame, function, false);
  lowering.EnterBody();
  lowering.DeclareCaptured();
  lowering.EmitList(unit.unit->body);
  if (!lowering.Terminated()) lowering.b_.CreateRetVoid();
  lowering.FinishFunction();
  return function;
}

std::string InitializerSymbol(uint64_t fingerprint) { return "tn_init." + HexOf(fingerprint); }

llvm::Function* FunctionLowering::LowerInitializer(UnitLowering& unit, const Type* type,
                                                   uint64_t fingerprint) {
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(unit.void_type, {unit.ptr}, false), llvm::Function::ExternalLinkage,
      InitializerSymbol(fingerprint), *unit.module);
  unit.SetAttributes(*function);
  Activation activation;
  Frame frame;
  frame.activation = &activation;
  FunctionLowering lowering(unit, frame, function, false);
  llvm::Value* payload = function->getArg(0);
  if (const auto* object = As<ObjectType>(type)) {
    lowering.InitializePayload(payload, object);
  } else {
    const Type* referent = As<RefType>(type)->referent;
    Place place;
    place.address = payload;
    place.region = Region::kFresh;
    const uint32_t dimensions = OpenDimensions(Bare(referent));
    for (uint32_t i = 0; i < dimensions; ++i) {
      place.lengths.push_back(
          lowering.LoadWord(lowering.Offset(payload, 8 * int64_t{i}), unit.i64));
    }
    if (dimensions != 0) place.address = lowering.Offset(payload, 8 * int64_t{dimensions});
    lowering.Initialize(place, referent, true);
  }
  lowering.b_.CreateRetVoid();
  lowering.FinishFunction();
  return function;
}

void FunctionLowering::EnterBody() {
  if (frame_.bytes != 0) record_ = Alloca(u_.BytesType(frame_.bytes), 8, "frame");
}

namespace {

// Its storage holds its address and nothing else.
bool IsAddressOnly(const Variable* variable) {
  return variable->alias && Bare(variable->type)->kind != TypeKind::kOpenArray;
}

unsigned FormalNumber(const Variable* variable) {
  if (variable->kind != Variable::Kind::kFormal || variable->owner == nullptr) return 0;
  const std::vector<Variable*>& formals = variable->owner->formals;
  const auto at = std::find(formals.begin(), formals.end(), variable);
  return at == formals.end() ? 0 : static_cast<unsigned>(at - formals.begin()) + 1;
}

}  // namespace

void FunctionLowering::DeclareCaptured() {
  if (!u_.debug.variables()) return;
  const auto declare = [&](const Frame& frame, llvm::Value* slot, std::vector<uint64_t> path,
                           bool own) {
    for (size_t i = 0; i < frame.activation->captured.size(); ++i) {
      const Variable* variable = frame.activation->captured[i];
      path.push_back(llvm::dwarf::DW_OP_plus_uconst);
      path.push_back(static_cast<uint64_t>(frame.offsets[i]));
      u_.debug.Declare(b_, *function_, nullptr, *variable, slot, path, IsAddressOnly(variable),
                       own ? FormalNumber(variable) : 0);
      path.resize(path.size() - 2);
    }
  };
  llvm::Value* slot = record_;
  std::vector<uint64_t> path;
  const Procedure* at = frame_.activation->procedure;
  if (record_ != nullptr) {
    if (outlined_) {
      slot = Alloca(u_.ptr, 8, "record");
      StoreWord(slot, record_);
      path = {llvm::dwarf::DW_OP_deref};
    }
    declare(frame_, slot, path, !outlined_);
  } else if (link_ != nullptr) {
    slot = Alloca(u_.ptr, 8, "link");
    StoreWord(slot, link_);
  } else {
    return;
  }
  // Finds the frame records of the enclosing procedures through the static links.
  for (; at != nullptr && at->parent != nullptr; at = at->parent) {
    path.push_back(llvm::dwarf::DW_OP_deref);
    declare(MakeFrame(u_, at->parent), slot, path, false);
  }
}

void FunctionLowering::EnterProcedure(const Procedure* procedure) {
  // Code without a line: a breakpoint at the procedure is where the lines begin, when the formals
  // have their values.
  b_.SetCurrentDebugLocation(llvm::DebugLoc());
  EnterBody();
  const Signature& signature = procedure->type->signature;
  unsigned next = 0;
  if (signature.result != nullptr && !IsScalar(signature.result)) {
    result_pointer_ = function_->getArg(next++);
    if (frame_.result_offset >= 0)
      StoreWord(Offset(record_, frame_.result_offset), result_pointer_);
  }
  if (UnitLowering::NeedsLink(procedure)) {
    link_ = function_->getArg(function_->arg_size() - 1);
    if (record_ != nullptr) StoreWord(Offset(record_, kLinkOffset), link_);
  }
  DeclareCaptured();
  for (const Variable* formal : procedure->formals) {
    llvm::Argument* argument = function_->getArg(next++);
    argument->setName(formal->name);
    bool in_frame = false;
    llvm::Value* storage = StorageOf(formal, &in_frame);
    switch (PassingOf(formal->type, formal->mode)) {
      case Passing::kValue: {
        Place place;
        place.address = storage;
        place.region = Region::kStack;
        StoreRaw(place, Bare(formal->type), argument);
        break;
      }
      case Passing::kAddress: {
        if (formal->mode != ParameterMode::kValue) {
          StoreWord(storage, argument);
          break;
        }
        const Layout layout = LayoutOf(formal->type);
        b_.CreateMemCpy(storage, llvm::Align(layout.alignment), argument,
                        llvm::Align(layout.alignment), static_cast<uint64_t>(layout.bytes));
        break;
      }
      case Passing::kOpenArray: {
        Place place;
        place.address = argument;
        for (uint32_t i = 0; i < OpenDimensions(Bare(formal->type)); ++i) {
          place.lengths.push_back(function_->getArg(next++));
        }
        if (formal->mode == ParameterMode::kValue) {
          llvm::Value* bytes = BytesOf(place, formal->type);
          llvm::AllocaInst* where = Alloca(u_.ptr, 8);
          llvm::BasicBlock *small = Block("small"), *join = Block("copy");
          // A large open array goes to the heap, as the characters of a text, and lives as long as
          // this activation. An array with traced references stays on the stack, because stores of
          // references into the heap would need barriers.
          const ObjectType* room = u_.program.text8_type;
          if (room != nullptr && !ContainsTraced(formal->type)) {
            llvm::BasicBlock* large = Block("large");
            b_.CreateCondBr(b_.CreateICmpUGT(bytes, u_.Int(kStackCopyBytesMax)), large, small,
                            llvm::MDBuilder(u_.context).createUnlikelyBranchWeights());
            b_.SetInsertPoint(large);
            llvm::AllocaInst* length = Alloca(u_.i64, 8);
            StoreWord(length, bytes);
            llvm::Value* text =
                CallEntry(Entry::tn_allocate_array, {u_.TypeDescriptorOf(room), length});
            // Keep the array in the frame: the collector finds it there even if only addresses of
            // its elements are left.
            b_.CreateAlignedStore(text, Alloca(u_.ptr, 8), llvm::Align(8), /*isVolatile=*/true);
            StoreWord(where, Offset(text, 8));
            b_.CreateBr(join);
          } else {
            b_.CreateBr(small);
          }
          b_.SetInsertPoint(small);
          llvm::AllocaInst* on_stack = b_.CreateAlloca(u_.i8, bytes);
          on_stack->setAlignment(llvm::Align(8));
          StoreWord(where, on_stack);
          b_.CreateBr(join);
          b_.SetInsertPoint(join);
          llvm::Value* copy = LoadWord(where, u_.ptr);
          b_.CreateMemCpy(copy, llvm::Align(8), place.address, llvm::Align(1), bytes);
          place.address = copy;
        }
        BindAlias(formal, place);
        break;
      }
    }
  }
}

void FunctionLowering::FinishFunction() {
  // Blocks that nothing jumps to may have been left open.
  for (llvm::BasicBlock& block : *function_) {
    if (&block == entry_.GetInsertBlock() || block.getTerminator() != nullptr) continue;
    llvm::IRBuilder<>(&block).CreateUnreachable();
  }
  entry_.CreateBr(entry_.GetInsertBlock()->getNextNode());
}

// --- variables ---

llvm::AllocaInst* FunctionLowering::Alloca(llvm::Type* type, int64_t alignment,
                                           const llvm::Twine& name) {
  llvm::AllocaInst* alloca = entry_.CreateAlloca(type, nullptr, name);
  alloca->setAlignment(llvm::Align(static_cast<uint64_t>(std::max<int64_t>(alignment, 1))));
  return alloca;
}

Place FunctionLowering::Temporary(const Type* type) {
  const Layout layout = LayoutOf(type);
  Place place;
  place.address = Alloca(u_.MemoryType(type), layout.alignment);
  place.region = Region::kStack;
  return place;
}

llvm::Value* FunctionLowering::FrameOf(const Procedure* procedure) {
  const Procedure* at = frame_.activation->procedure;
  if (at == procedure) return record_ != nullptr ? record_ : u_.Null();
  llvm::Value* link = link_;
  if (link == nullptr)
    link = record_ == nullptr ? u_.Null() : LoadWord(Offset(record_, kLinkOffset), u_.ptr);
  for (at = at->parent; at != procedure; at = at->parent)
    link = LoadWord(Offset(link, kLinkOffset), u_.ptr);
  return link;
}

bool FunctionLowering::IsOutsideRecord(const Variable* variable) const {
  // A debugger finds a variable in one place.
  if (u_.debug.variables()) return false;
  const Activation& activation = *frame_.activation;
  if (activation.procedure == nullptr || variable->owner != activation.procedure ||
      !activation.IsCaptured(variable) || variable->used_by_nested ||
      activation.located.count(variable) != 0 || IsIndirect(variable) ||
      !IsScalar(variable->type)) {
    return false;
  }
  if (kept_.count(variable) != 0 && activation.ChangesInTries(variable)) return false;
  const auto& direct =
      body_ == nullptr ? activation.direct : activation.occurrences.at(body_).direct;
  return direct.count(variable) != 0;
}

llvm::Value* FunctionLowering::SlotOf(const Variable* variable) {
  return Offset(record_, frame_.offsets[frame_.activation->slot_of.at(variable)]);
}

void FunctionLowering::CopyVariables(const StmtList& body, CopyDirection direction) {
  const auto found = frame_.activation->occurrences.find(&body);
  if (found == frame_.activation->occurrences.end()) return;
  for (const Variable* variable : found->second.all) {
    if (!IsOutsideRecord(variable)) continue;
    const bool changes = frame_.activation->ChangesInTries(variable);
    const bool is_same =
        direction == (body_ == &body ? CopyDirection::kToRecord : CopyDirection::kFromRecord);
    if (is_same && !changes) continue;
    const Place own = PlaceOf(variable);
    Place slot = own;
    slot.address = SlotOf(variable);
    if (direction == CopyDirection::kToRecord) {
      StoreRaw(slot, variable->type, Load(own, variable->type));
      continue;
    }
    StoreRaw(own, variable->type, Load(slot, variable->type));
    // An old reference would keep objects alive.
    if (changes && ContainsTraced(variable->type)) {
      StoreWord(slot.address, u_.Null(), /*is_volatile=*/true);
    }
  }
}

llvm::Value* FunctionLowering::StorageOf(const Variable* variable, bool* in_frame) {
  const auto found = locals_.find(variable);
  if (found != locals_.end()) return found->second;
  if (variable->owner != frame_.activation->procedure) {
    if (variable->owner == nullptr) return u_.StaticAliasOf(variable, Words(variable));
    const Frame frame = MakeFrame(u_, variable->owner);
    return Offset(FrameOf(variable->owner), frame.offsets[frame.activation->slot_of.at(variable)]);
  }
  if (frame_.activation->IsCaptured(variable) && !IsOutsideRecord(variable)) {
    *in_frame = true;
    return SlotOf(variable);
  }
  if (u_.captures != nullptr && u_.captures->IsStaticAlias(variable)) {
    return u_.StaticAliasOf(variable, Words(variable));
  }
  llvm::AllocaInst* storage;
  if (IsIndirect(variable)) {
    storage = Alloca(llvm::ArrayType::get(u_.i64, Words(variable)), 8, variable->name);
  } else {
    storage =
        Alloca(u_.MemoryType(variable->type), LayoutOf(variable->type).alignment, variable->name);
  }
  u_.debug.Declare(b_, *function_, scope_, *variable, storage, {}, IsAddressOnly(variable),
                   FormalNumber(variable));
  locals_.emplace(variable, storage);
  return storage;
}

Place FunctionLowering::PlaceOf(const Variable* variable) {
  Place place;
  if (variable->kind == Variable::Kind::kGlobal) {
    place.address = u_.GlobalOf(variable);
    place.region = Region::kGlobal;
    return place;
  }
  bool in_frame = false;
  llvm::Value* storage = StorageOf(variable, &in_frame);
  if (!IsIndirect(variable)) {
    place.address = storage;
    place.region = Region::kStack;
    // A handler or FINALLY part must see the values as of the trap that leads to it (platform.md
    // 6).
    place.is_volatile = in_frame && outlined_;
    return place;
  }
  place.address = LoadWord(storage, u_.ptr);
  const uint32_t dimensions = OpenDimensions(Bare(variable->type));
  for (uint32_t i = 0; i < dimensions; ++i) {
    place.lengths.push_back(LoadWord(Offset(storage, 8 * (int64_t{i} + 1)), u_.i64));
  }
  if (NamesBits(variable)) {
    place.bit_offset = LoadWord(Offset(storage, 8), u_.i64);
    place.bit_size = BitSizeOf(variable->type);
    place.word_bytes = kUndecided;
  }
  place.region = variable->alias ? Region::kUnknown : Region::kStack;
  const auto info = alias_info_.find(variable);
  if (info != alias_info_.end()) {
    place.region = info->second.region;
    place.base = info->second.base;
  }
  return place;
}

void FunctionLowering::BindAlias(const Variable* variable, const Place& place) {
  bool in_frame = false;
  llvm::Value* storage = StorageOf(variable, &in_frame);
  if (NamesBits(variable)) {
    // A bit aggregate has the same layout alone and among others, so its first bit says all.
    llvm::Value* bit = place.bit_offset;
    llvm::Value* address = place.address;
    if (bit == nullptr) {
      bit = u_.Int(IsScalar(variable->type) ? -1 : 0);
    } else if (place.word_bytes != kUndecided) {
      address = b_.CreateInBoundsGEP(u_.i8, address, b_.CreateLShr(bit, u_.Int(3)));
      bit = b_.CreateAnd(bit, u_.Int(7));
    }
    StoreWord(storage, address);
    StoreWord(Offset(storage, 8), bit);
    return;
  }
  StoreWord(storage, place.address);
  for (size_t i = 0; i < place.lengths.size(); ++i) {
    StoreWord(Offset(storage, 8 * (static_cast<int64_t>(i) + 1)), place.lengths[i]);
  }
}

// --- blocks ---

llvm::BasicBlock* FunctionLowering::Block(const char* name) {
  return llvm::BasicBlock::Create(u_.context, name, function_);
}

void FunctionLowering::Jump(llvm::BasicBlock* block) {
  if (!Terminated()) b_.CreateBr(block);
}

void FunctionLowering::At(SourceSpan span) {
  if (!span.valid()) return;
  span_ = span;
  u_.debug.SetPlace(b_, *function_, scope_, span);
}

}  // namespace tenure::compiler
