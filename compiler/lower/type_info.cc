#include "compiler/lower/type_info.h"

#include <algorithm>

#include "compiler/lower/function_lowering.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

using abi::SlotKind;
using abi::SlotRun;

class TypeInfo {
 public:
  explicit TypeInfo(UnitLowering& unit) : u_(unit) {
    field_type_ = llvm::StructType::get(
        u_.context, {u_.ptr, u_.ptr, u_.ptr, u_.i32, u_.i32, u_.ptr, u_.i32, u_.i32});
  }

  void Declare(const ProgramLayout::Descriptor& descriptor);
  void Define(uint32_t typecode, const ProgramLayout::Descriptor& descriptor);
  void MakeFieldTables();

 private:
  // The fields that differ from type to type.
  struct Shape {
    uint32_t flags = 0;
    int64_t payload_bytes = 0;
    uint32_t open_dimensions = 0;
    int64_t element_bytes = 0;
    int64_t alignment = 8;
    std::vector<SlotRun> runs;
    std::vector<SlotRun> element_runs;
    std::vector<SlotRun> weak_runs;
    std::vector<SlotRun> weak_element_runs;
    std::vector<abi::ProcedureRun> procedure_runs;
    std::vector<abi::ProcedureRun> procedure_element_runs;
    std::vector<llvm::Constant*> fields;
    bool needs_initialization = false;
    const std::optional<std::string>* brand = nullptr;
    std::vector<llvm::Constant*> methods;
  };

  void AddField(Shape& shape, const std::string& name, const Type* type, int64_t bit_offset,
                int64_t bit_size);
  void AddReferents(const Type* type, std::vector<llvm::Constant*>* referents);
  Shape OfObject(const ObjectType* object);
  Shape OfRef(const RefType* ref);
  // `name`: "draw of Shape.T".
  llvm::Function* NilMethod(const std::string& name);
  llvm::Constant* EmitWeakRuns(const Shape& shape);
  llvm::Constant* EmitProcedureRuns(const Shape& shape);

  UnitLowering& u_;
  llvm::StructType* field_type_;
  std::map<std::string, llvm::Function*> nil_methods_;
  const ShapeOf shape_of_ = [this](const ProcedureType* type) { return u_.layout.ShapeOf(type); };
  // By typecode, of object types.
  struct FieldTable {
    llvm::Constant* table = nullptr;
    size_t count = 0;
  };
  std::vector<FieldTable> field_tables_;
};

void TypeInfo::AddField(Shape& shape, const std::string& name, const Type* type, int64_t bit_offset,
                        int64_t bit_size) {
  const std::string text = TypeToString(type), value = ValueToString(type);
  std::vector<llvm::Constant*> referents;
  AddReferents(type, &referents);
  shape.fields.push_back(llvm::ConstantStruct::get(
      field_type_,
      {u_.CString(name), u_.CString(text), value == text ? u_.Null() : u_.CString(value),
       u_.Int32(static_cast<uint32_t>(bit_offset)), u_.Int32(static_cast<uint32_t>(bit_size)),
       u_.Table(u_.ptr, referents), u_.Int32(static_cast<uint32_t>(referents.size())),
       u_.Int32(0)}));
}

void TypeInfo::AddReferents(const Type* type, std::vector<llvm::Constant*>* referents) {
  type = Bare(type);
  if (!ContainsTraced(type)) return;
  if (const auto* record = As<RecordType>(type)) {
    for (const Field& field : record->fields) AddReferents(field.type, referents);
  } else if (const auto* array = As<ArrayType>(type)) {
    AddReferents(array->element, referents);
  } else if (const auto* open = As<OpenArrayType>(type)) {
    AddReferents(open->element, referents);
  } else {
    const Type* concrete = Concrete(type);
    const auto* ref = As<RefType>(concrete);
    const auto* object = As<ObjectType>(concrete);
    const bool transient = (ref != nullptr && ref->transient) ||
                           (object != nullptr && object->transient) ||
                           concrete == u_.program.types.transient_refany;
    if (!transient) referents->push_back(u_.TypeDescriptorOf(concrete));
  }
}

// The entry of a NIL method in a method table: reports UndefinedMethod (abi/type_descriptor.h).
llvm::Function* TypeInfo::NilMethod(const std::string& name) {
  llvm::Function*& function = nil_methods_[name];
  if (function != nullptr) return function;
  function =
      llvm::Function::Create(llvm::FunctionType::get(u_.void_type, false),
                             llvm::Function::ExternalLinkage, "tn_nil_method." + name, *u_.module);
  u_.SetAttributes(*function);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(u_.context, "", function));
  llvm::Type* i16 = llvm::Type::getInt16Ty(u_.context);
  const auto number = [&](auto value) {
    return llvm::ConstantInt::get(i16, static_cast<uint64_t>(value));
  };
  llvm::Constant* site = u_.Static(
      llvm::ConstantStruct::getAnon(
          u_.context, {u_.Null(), u_.Int32(0), number(RuntimeErrorCode::kUndefinedMethod),
                       number(CheckForm::kNone), u_.CString("method " + name + " is NIL")}),
      8);
  llvm::Value* none = llvm::PoisonValue::get(u_.i64);
  b.CreateCall(u_.runtime.Get(Entry::tn_check_failed), {site, none, none, none});
  b.CreateUnreachable();
  return function;
}

namespace {

// The names of an object type's methods by slot, each with the type that declares the method.
std::vector<std::string> MethodNamesOf(const ObjectType* object) {
  std::vector<std::string> names(MethodCount(object));
  for (const ObjectType* at = object; at != nullptr; at = SuperOf(at)) {
    for (size_t i = 0; i < at->methods.size(); ++i) {
      names[MethodSlot(at, i)] = at->methods[i].name + " of " + TypeToString(at);
    }
  }
  return names;
}

}  // namespace

TypeInfo::Shape TypeInfo::OfObject(const ObjectType* object) {
  Shape shape;
  shape.flags = abi::kTypeObject;
  if (!object->traced) shape.flags |= abi::kTypeUntraced;
  if (IsNeverSaved(object)) shape.flags |= abi::kTypeTransient;
  const Layout layout = PayloadOf(object);
  shape.payload_bytes = layout.bytes;
  shape.alignment = std::max<int64_t>(layout.alignment, 1);
  shape.runs = SlotRunsOfPayload(object);
  shape.weak_runs = WeakRunsOfPayload(object);
  shape.procedure_runs = ProcedureRunsOfPayload(object, shape_of_);
  shape.needs_initialization = PayloadNeedsInitialization(object);
  shape.brand = &object->brand;

  const std::vector<std::string> names = MethodNamesOf(object);
  for (const Procedure* procedure : MethodSuiteOf(object)) {
    shape.methods.push_back(procedure == nullptr ? NilMethod(names[shape.methods.size()])
                                                 : u_.CodeOf(procedure));
  }

  // Texts proper: the hidden open array of characters (abi/type_descriptor.h).
  const uint64_t fingerprint = u_.layout.FingerprintOf(object);
  for (const bool wide : {false, true}) {
    const ObjectType* flat = wide ? u_.program.text16_type : u_.program.text8_type;
    if (flat == nullptr || u_.layout.FingerprintOf(flat) != fingerprint) continue;
    shape.flags |= abi::kTypeOpenArray | abi::kTypeText;
    shape.open_dimensions = 1;
    shape.element_bytes = wide ? 2 : 1;
    shape.payload_bytes = (shape.payload_bytes + 7) / 8 * 8;
    shape.alignment = 8;
  }
  return shape;
}

TypeInfo::Shape TypeInfo::OfRef(const RefType* ref) {
  Shape shape;
  if (ref->transient) shape.flags |= abi::kTypeTransient;
  shape.brand = &ref->brand;
  shape.needs_initialization = NeedsInitialization(ref->referent);
  const Type* referent = Bare(ref->referent);
  if (referent->kind == TypeKind::kOpenArray) {
    const Type* element = InnermostElement(referent);
    shape.flags |= abi::kTypeOpenArray;
    shape.open_dimensions = OpenDimensions(referent);
    // More than LayoutOf(element).bytes where elements are packed.
    shape.element_bytes = LayoutOf(referent).bytes;
    shape.element_runs = SlotRunsOf(referent);
    shape.weak_element_runs = WeakRunsOf(referent);
    shape.procedure_element_runs = ProcedureRunsOf(referent, shape_of_);
    AddField(shape, "", element, 0, BitSizeOf(element));
    return shape;
  }
  const Layout layout = LayoutOf(referent);
  shape.payload_bytes = layout.bytes;
  shape.alignment = std::max<int64_t>(layout.alignment, 1);
  shape.runs = SlotRunsOf(referent);
  shape.weak_runs = WeakRunsOf(referent);
  shape.procedure_runs = ProcedureRunsOf(referent, shape_of_);
  if (const auto* record = As<RecordType>(referent)) {
    for (size_t i = 0; i < record->fields.size(); ++i) {
      const FieldPlace place = PlaceOfField(record, i);
      AddField(shape, record->fields[i].name, record->fields[i].type, place.bit_offset,
               place.bit_size);
    }
  } else {
    AddField(shape, "", referent, 0, BitSizeOf(referent));
  }
  return shape;
}

namespace {

// abi::WeakRuns, abi::ProcedureRuns. `emit` makes the table of a list of runs.
template <typename Run, typename EmitRuns>
llvm::Constant* EmitPairOfRuns(UnitLowering& unit, const std::vector<Run>& runs,
                               const std::vector<Run>& element_runs, EmitRuns&& emit) {
  if (runs.empty() && element_runs.empty()) return unit.Null();
  auto* type = llvm::StructType::get(unit.context, {unit.ptr, unit.ptr, unit.i32, unit.i32});
  return unit.Table(type, {llvm::ConstantStruct::get(
                              type, {emit(runs), emit(element_runs),
                                     unit.Int32(static_cast<uint32_t>(runs.size())),
                                     unit.Int32(static_cast<uint32_t>(element_runs.size()))})});
}

llvm::Constant* EmitRuns(UnitLowering& unit, const std::vector<abi::ProcedureRun>& runs) {
  auto* type = llvm::StructType::get(unit.context, {unit.i32, unit.i32, unit.i32, unit.i32});
  std::vector<llvm::Constant*> elements;
  for (const abi::ProcedureRun& run : runs) {
    elements.push_back(
        llvm::ConstantStruct::get(type, {unit.Int32(run.offset), unit.Int32(run.count),
                                         unit.Int32(run.stride), unit.Int32(run.shape)}));
  }
  return unit.Table(type, elements);
}

}  // namespace

llvm::Constant* TypeInfo::EmitWeakRuns(const Shape& shape) {
  return EmitPairOfRuns(u_, shape.weak_runs, shape.weak_element_runs,
                        [&](const auto& runs) { return EmitSlotRuns(u_, runs); });
}

llvm::Constant* TypeInfo::EmitProcedureRuns(const Shape& shape) {
  return EmitPairOfRuns(u_, shape.procedure_runs, shape.procedure_element_runs,
                        [&](const auto& runs) { return EmitRuns(u_, runs); });
}

bool IsPure(const std::vector<SlotRun>& runs) {
  for (const SlotRun& run : runs) {
    if (run.kind == SlotKind::kReference || run.kind == SlotKind::kTransientReference) return false;
  }
  return true;
}

// The fields of a type begin with those of its supertype, so a table serves all supertypes.
void TypeInfo::MakeFieldTables() {
  const auto& descriptors = u_.layout.descriptors();
  field_tables_.resize(descriptors.size());
  for (size_t i = descriptors.size(); i-- > 0;) {  // subtypes first
    const auto* object = As<ObjectType>(descriptors[i].type);
    if (object == nullptr) continue;
    if (field_tables_[i].table == nullptr) {
      Shape shape;
      for (const PlacedField& placed : FieldsOf(object)) {
        const Field& field = placed.owner->fields[placed.index];
        AddField(shape, field.name, field.type, placed.place.bit_offset, placed.place.bit_size);
      }
      field_tables_[i] = {u_.Table(field_type_, shape.fields), shape.fields.size()};
    }
    if (descriptors[i].supertype < 0) continue;
    FieldTable& inherited = field_tables_[static_cast<size_t>(descriptors[i].supertype)];
    if (inherited.table != nullptr) continue;
    inherited = field_tables_[i];
    inherited.count -= object->fields.size();
    if (inherited.count == 0) inherited.table = u_.Null();
  }
}

// All are declared before any is defined, since they refer to each other.
void TypeInfo::Declare(const ProgramLayout::Descriptor& descriptor) {
  std::vector<llvm::Type*> types = {u_.i64};
  types.insert(types.end(), 10, u_.i32);
  types.insert(types.end(), 9, u_.ptr);
  types.insert(types.end(), 2, u_.i32);
  if (const auto* object = As<ObjectType>(descriptor.type))
    types.insert(types.end(), MethodCount(object), u_.ptr);
  auto* global = new llvm::GlobalVariable(*u_.module, llvm::StructType::get(u_.context, types),
                                          true, llvm::GlobalValue::ExternalLinkage, nullptr,
                                          ProgramLayout::SymbolOf(descriptor.fingerprint));
  global->setAlignment(llvm::Align(abi::kDescriptorAlignment));
}

void TypeInfo::Define(uint32_t typecode, const ProgramLayout::Descriptor& descriptor) {
  Shape shape;
  if (const auto* object = As<ObjectType>(descriptor.type)) {
    shape = OfObject(object);
  } else if (const auto* ref = As<RefType>(descriptor.type)) {
    shape = OfRef(ref);
  } else if (descriptor.type == u_.program.types.transient_refany) {
    shape.flags = abi::kTypeTransient;
  }
  FieldTable fields = {nullptr, shape.fields.size()};
  if (shape.fields.empty()) fields = field_tables_[typecode];
  if (fields.table == nullptr) fields.table = u_.Table(field_type_, shape.fields);
  if (IsPure(shape.runs) && IsPure(shape.element_runs)) shape.flags |= abi::kTypePure;

  llvm::Constant* initialize = u_.Null();
  if (shape.needs_initialization) {
    initialize = FunctionLowering::LowerInitializer(u_, descriptor.type, descriptor.fingerprint);
  }
  const auto& descriptors = u_.layout.descriptors();
  llvm::Constant* supertype = u_.Null();
  if (descriptor.supertype >= 0) {
    supertype = u_.TypeDescriptorOf(descriptors[static_cast<size_t>(descriptor.supertype)].type);
  }
  llvm::Constant* brand = u_.Null();
  if (shape.brand != nullptr && shape.brand->has_value()) brand = u_.CString(**shape.brand);

  auto count = [&](size_t n) { return u_.Int32(static_cast<uint32_t>(n)); };
  // In the order of abi::TypeDescriptor; the test of this module compares the offsets.
  std::vector<llvm::Constant*> parts = {
      llvm::ConstantInt::get(u_.i64, descriptor.fingerprint),
      u_.Int32(typecode),
      u_.Int32(descriptor.last_subtype),
      u_.Int32(shape.flags),
      u_.Int32(static_cast<uint32_t>(shape.payload_bytes)),
      u_.Int32(shape.open_dimensions),
      u_.Int32(static_cast<uint32_t>(shape.element_bytes)),
      u_.Int32(static_cast<uint32_t>(shape.alignment)),
      count(shape.runs.size()),
      count(shape.element_runs.size()),
      count(fields.count),
      EmitSlotRuns(u_, shape.runs),
      EmitSlotRuns(u_, shape.element_runs),
      fields.table,
      supertype,
      u_.CString(descriptor.name),
      brand,
      initialize,
      EmitWeakRuns(shape),
      EmitProcedureRuns(shape),
      count(shape.methods.size()),
      u_.Int32(0),
  };
  for (llvm::Constant* method : shape.methods) parts.push_back(method);
  llvm::GlobalVariable* global =
      u_.module->getNamedGlobal(ProgramLayout::SymbolOf(descriptor.fingerprint));
  global->setInitializer(
      llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(global->getValueType()), parts));
}

}  // namespace

llvm::Constant* EmitSlotRuns(UnitLowering& unit, const std::vector<SlotRun>& runs) {
  auto* type = llvm::StructType::get(unit.context, {unit.i32, unit.i32, unit.i32, unit.i32});
  std::vector<llvm::Constant*> elements;
  for (const SlotRun& run : runs) {
    elements.push_back(llvm::ConstantStruct::get(
        type, {unit.Int32(run.offset), unit.Int32(run.count), unit.Int32(run.stride),
               unit.Int32(static_cast<uint32_t>(run.kind))}));
  }
  return unit.Table(type, elements);
}

std::vector<llvm::Constant*> EmitTypeDescriptors(UnitLowering& unit) {
  TypeInfo info(unit);
  const auto& descriptors = unit.layout.descriptors();
  for (const ProgramLayout::Descriptor& descriptor : descriptors) info.Declare(descriptor);
  info.MakeFieldTables();
  for (size_t i = 0; i < descriptors.size(); ++i)
    info.Define(static_cast<uint32_t>(i), descriptors[i]);
  std::vector<llvm::Constant*> defined;
  for (const ProgramLayout::Descriptor& descriptor : descriptors) {
    defined.push_back(unit.module->getNamedGlobal(ProgramLayout::SymbolOf(descriptor.fingerprint)));
  }
  return defined;
}

}  // namespace tenure::compiler
