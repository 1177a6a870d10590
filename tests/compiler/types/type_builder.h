// Makes types as the checker makes them, in a few words, and scopes that know chosen revelations.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/types/assignability.h"
#include "compiler/types/entity.h"
#include "compiler/types/type.h"

namespace tenure::compiler {

// The revelations that a scope sees: none at first.
class TestScope : public RevelationScope {
 public:
  std::map<const OpaqueType*, Type*> revealed;  // complete
  std::map<const OpaqueType*, Type*> partial;   // the most specific

  Type* Revealed(const OpaqueType* opaque) const override {
    const auto it = revealed.find(opaque);
    return it == revealed.end() ? nullptr : it->second;
  }
  Type* KnownSuper(const OpaqueType* opaque) const override {
    if (Type* type = Revealed(opaque)) return type;
    const auto it = partial.find(opaque);
    return it == partial.end() ? opaque->bound : it->second;
  }
};

class TypeBuilder {
 public:
  TypeTable table;

  SubrangeType* Range(int64_t low, int64_t high, Type* base = nullptr) {
    auto* type = table.New<SubrangeType>();
    type->base = base == nullptr ? table.integer : base;
    type->low = low;
    type->high = high;
    return type;
  }
  EnumerationType* Enumeration(std::vector<std::string> elements) {
    auto* type = table.New<EnumerationType>();
    type->count = static_cast<int64_t>(elements.size());
    type->elements = std::move(elements);
    return type;
  }
  ArrayType* Array(Type* index, Type* element) {
    auto* type = table.New<ArrayType>();
    type->index = index;
    type->element = element;
    return type;
  }
  ArrayType* Array(int64_t count, Type* element) { return Array(Range(0, count - 1), element); }
  OpenArrayType* Open(Type* element) {
    auto* type = table.New<OpenArrayType>();
    type->element = element;
    return type;
  }
  // Fields are named a, b, c, ... in order.
  RecordType* Record(std::vector<Type*> field_types) {
    auto* type = table.New<RecordType>();
    type->fields = Fields(field_types);
    return type;
  }
  PackedType* Bits(int64_t bits, Type* base) {
    auto* type = table.New<PackedType>();
    type->bits = bits;
    type->base = base;
    return type;
  }
  SetType* Set(Type* element) {
    auto* type = table.New<SetType>();
    type->element = element;
    return type;
  }
  RefType* Ref(Type* referent, bool traced = true) {
    auto* type = table.New<RefType>();
    type->referent = referent;
    type->traced = traced;
    return type;
  }
  RefType* TransientRef(Type* referent) {
    RefType* type = Ref(referent);
    type->transient = true;
    return type;
  }
  RefType* BrandedRef(std::string brand, Type* referent) {
    RefType* type = Ref(referent);
    type->brand = std::move(brand);
    return type;
  }
  // Inherits tracedness and transience, as in the language. `super` null: ROOT.
  ObjectType* Object(Type* super, std::vector<Type*> field_types = {}) {
    auto* type = table.New<ObjectType>();
    type->super = super == nullptr ? table.root : super;
    for (const Type* at = type->super; at != nullptr;) {
      if (const auto* object = As<ObjectType>(at)) {
        type->traced = object->traced;
        type->transient = object->transient;
        break;
      }
      const auto* opaque = As<OpaqueType>(at);
      at = opaque->concrete != nullptr ? opaque->concrete : opaque->bound;
    }
    type->fields = Fields(field_types);
    return type;
  }
  // Opaque types, procedures and exceptions are declarations: one for each name.
  OpaqueType* Opaque(const std::string& name, Type* bound) {
    OpaqueType*& type = opaque_types_[name];
    if (type == nullptr) {
      type = table.New<OpaqueType>();
      type->name = name;
      type->bound = bound;
    }
    return type;
  }
  ProcedureType* ProcedureOf(Signature signature) {
    auto* type = table.New<ProcedureType>();
    type->signature = std::move(signature);
    return type;
  }
  // PROCEDURE (x: formal): result.
  ProcedureType* Function(Type* formal, Type* result) {
    Signature signature;
    signature.formals.push_back({"x", ParameterMode::kValue, formal, nullptr});
    signature.result = result;
    return ProcedureOf(signature);
  }

  Procedure* Code(const std::string& symbol) {
    Procedure& procedure = procedures_[symbol];
    procedure.full_name = procedure.symbol = symbol;
    return &procedure;
  }
  Exception* MakeException(const std::string& name) {
    Exception& exception = exceptions_[name];
    exception.symbol = exception.name = name;
    return &exception;
  }
  Constant* Ordinal(int64_t value) {
    Constant& constant = constants_.emplace_back();
    constant.kind = Constant::Kind::kOrdinal;
    constant.ordinal = value;
    return &constant;
  }
  Constant* Real(double value) {
    Constant& constant = constants_.emplace_back();
    constant.kind = Constant::Kind::kReal;
    constant.real = value;
    return &constant;
  }
  Constant* Make(Constant::Kind kind) {
    Constant& constant = constants_.emplace_back();
    constant.kind = kind;
    return &constant;
  }
  static void AddMethod(ObjectType* object, std::string name, Procedure* procedure,
                        Type* result = nullptr) {
    Method method;
    method.name = std::move(name);
    method.default_procedure = procedure;
    method.signature.result = result;
    object->methods.push_back(method);
  }
  static void AddOverride(ObjectType* object, const ObjectType* method_type, size_t method,
                          Procedure* procedure) {
    object->overrides.push_back(
        {method_type->methods[method].name, procedure, method_type, method});
  }

  // TYPE List = REF RECORD item: `item`; next: List END, written out `unrolled` times before it
  // recurs to a cell of its own: another finite graph of the same infinite tree.
  RefType* List(Type* item, int unrolled = 0) {
    RefType* knot = Ref(nullptr);
    knot->referent = Record({item, knot});
    RefType* list = knot;
    for (int i = 0; i < unrolled; ++i) list = Ref(Record({item, list}));
    return list;
  }
  // The same type as a ring of `length` cells.
  RefType* Ring(Type* item, int length) {
    std::vector<RefType*> cells;
    for (int i = 0; i < length; ++i) cells.push_back(Ref(nullptr));
    for (int i = 0; i < length; ++i) cells[i]->referent = Record({item, cells[(i + 1) % length]});
    return cells[0];
  }

 private:
  static std::vector<Field> Fields(const std::vector<Type*>& types) {
    std::vector<Field> fields;
    for (size_t i = 0; i < types.size(); ++i) {
      Field field;
      field.name =
          std::string(1, static_cast<char>('a' + i % 26)) + (i < 26 ? "" : std::to_string(i / 26));
      field.type = types[i];
      fields.push_back(field);
    }
    return fields;
  }

  std::map<std::string, OpaqueType*> opaque_types_;
  std::map<std::string, Procedure> procedures_;
  std::map<std::string, Exception> exceptions_;
  std::deque<Constant> constants_;
};

}  // namespace tenure::compiler
