// Expressions: names, selections, dereferences, subscripts (docs/language.md 15).
#include <cctype>
#include <cstdlib>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/check/constructors.h"
#include "compiler/types/describe.h"

namespace tenure::compiler {

Operand Checker::Value(Expr* value) {
  Operand operand;
  operand.kind = IsError(value) ? Operand::Kind::kError : Operand::Kind::kValue;
  operand.value = value;
  return operand;
}

Operand Checker::CheckOperand(const ast::Expr* tree) {
  if (tree == nullptr) return {};
  switch (tree->kind) {
    case ast::ExprKind::kError: return {};
    case ast::ExprKind::kName: return CheckName(ast::As<ast::NameExpr>(tree), NameUse::kValue);
    case ast::ExprKind::kNumber: return Value(CheckNumber(ast::As<ast::NumberExpr>(tree)));
    case ast::ExprKind::kCharLiteral: {
      const auto* literal = ast::As<ast::CharLiteralExpr>(tree);
      if (literal->is_wide && literal->value > 0xFFFF) {
        Error(MessageId::kWideCharTooLarge, tree->span);
        return {};
      }
      Type* type = literal->is_wide ? types().widechar : types().character;
      return Value(MakeOrdinal(literal->value, type, tree->span));
    }
    case ast::ExprKind::kTextLiteral: {
      const auto* literal = ast::As<ast::TextLiteralExpr>(tree);
      return Value(MakeText(literal->value, literal->is_wide, tree->span));
    }
    case ast::ExprKind::kConstructor:
      return Value(constructors_->CheckConstructor(ast::As<ast::ConstructorExpr>(tree)));
    case ast::ExprKind::kUnary: return Value(CheckUnary(ast::As<ast::UnaryExpr>(tree)));
    case ast::ExprKind::kBinary: return Value(CheckBinary(ast::As<ast::BinaryExpr>(tree)));
    case ast::ExprKind::kDeref: {
      Expr* operand = CheckExpr(ast::As<ast::DerefExpr>(tree)->operand);
      return Value(Deref(operand, tree->span));
    }
    case ast::ExprKind::kSelect: return CheckSelect(ast::As<ast::SelectExpr>(tree));
    case ast::ExprKind::kSubscript: return CheckSubscript(ast::As<ast::SubscriptExpr>(tree));
    case ast::ExprKind::kCall: return CheckCall(ast::As<ast::CallExpr>(tree));
    case ast::ExprKind::kType: {
      Operand operand;
      operand.type = ResolveType(ast::As<ast::TypeAsExpr>(tree)->type);
      operand.kind = IsError(operand.type) ? Operand::Kind::kError : Operand::Kind::kType;
      return operand;
    }
  }
  return {};
}

Expr* Checker::ValueOf(const Operand& operand, SourceSpan span) {
  switch (operand.kind) {
    case Operand::Kind::kValue:
      if (auto* procedure = ExprAs<ProcedureExpr>(operand.value))
        procedure->procedure->address_taken = true;
      return operand.value;
    case Operand::Kind::kError: break;
    case Operand::Kind::kNoValue: {
      auto error = Error(MessageId::kNoValue, span);
      const auto* call = ExprAs<const CallExpr>(operand.value);
      if (call != nullptr && call->procedure != nullptr && call->procedure->span.valid() &&
          call->procedure->span.file == unit_->file) {
        error.Note(MessageId::kDeclaredHere, call->procedure->span, call->procedure->name);
      }
      error.Hint(
          "a procedure gives a value only if a type stands behind its formals: "
          "PROCEDURE P(...): T");
      break;
    }
    case Operand::Kind::kType: {
      auto error = Error(MessageId::kNotValue, span, "a type");
      advisor_->Advise(error, advisor_->TypeAsValueAdvice(operand.type, span));
      break;
    }
    case Operand::Kind::kInterface:
      Error(MessageId::kNotValue, span, "an interface")
          .Hint("name something of it: " + ShortSource(span) + ".Name");
      break;
    case Operand::Kind::kBuiltin:
      Error(MessageId::kNotValue, span, "the built-in operation " + operand.symbol->name.str())
          .Hint("call it: " + BuiltinForm(operand.symbol->builtin));
      break;
    case Operand::Kind::kException:
      Error(MessageId::kNotValue, span, "an exception")
          .Hint("RAISE raises it, and TRY ... EXCEPT handles it");
      break;
    case Operand::Kind::kMethod: {
      auto error = Error(MessageId::kMethodAsValue, span);
      if (assigned_ != nullptr && assigned_->span == span) {
        error.Hint("a subtype has another procedure for it: T OBJECT OVERRIDES m := P END");
      } else {
        advisor_->Advise(
            error, advisor_->CallIt(operand.method_type->methods[operand.method].signature, span));
      }
      break;
    }
    case Operand::Kind::kStatement: Error(MessageId::kNoValue, span); break;
  }
  return MakeError(span);
}

Expr* Checker::CheckExpr(const ast::Expr* tree) {
  if (tree == nullptr) return MakeError({});
  return ValueOf(CheckOperand(tree), tree->span);
}

// Whether the call stands where statements begin.
static bool IsStatement(SourceSpan call) {
  std::string_view before = call.file->text().substr(0, call.begin);
  while (!before.empty() && std::isspace(static_cast<unsigned char>(before.back())) != 0) {
    before.remove_suffix(1);
  }
  for (const std::string_view end : {";", "BEGIN", "THEN", "DO", "ELSE", "LOOP", "REPEAT", "=>"}) {
    if (before.ends_with(end)) return true;
  }
  return false;
}

Type* Checker::CheckTypeOperand(const ast::Expr* tree, const ast::CallExpr* new_call) {
  const Operand operand = CheckOperand(tree);
  if (operand.kind == Operand::Kind::kType) return operand.type;
  if (operand.kind != Operand::Kind::kError) {
    auto error = Error(MessageId::kNotType, tree->span, tree->span.text());
    if (operand.kind == Operand::Kind::kValue && !IsError(operand.value)) {
      const std::string type = advisor_->TypeHere(operand.value->type);
      if (!type.empty()) {
        const std::string source = ShortSource(tree->span);
        const bool is_new = new_call != nullptr && new_call->actuals.size() == 1 &&
                            IsReference(operand.value->type);
        const std::string written = source + " := NEW(" + type + ")";
        error.Hint(source + " is a value of type " + type + (is_new ? "; write " + written : ""));
        if (is_new && operand.value->designator && IsStatement(new_call->span)) {
          error.Fix(new_call->span, written);
        }
      }
    }
  }
  return nullptr;
}

Expr* Checker::CheckNumber(const ast::NumberExpr* tree) {
  switch (tree->number_kind) {
    case ast::NumberKind::kInteger:
      return MakeOrdinal(static_cast<int64_t>(tree->value), types().integer, tree->span);
    case ast::NumberKind::kLongint:
      return MakeOrdinal(static_cast<int64_t>(tree->value), types().longint, tree->span);
    case ast::NumberKind::kReal:
      return MakeReal(std::strtof(tree->real_text.str().c_str(), nullptr), types().real,
                      tree->span);
    case ast::NumberKind::kLongreal:
      return MakeReal(std::strtod(tree->real_text.str().c_str(), nullptr), types().longreal,
                      tree->span);
    case ast::NumberKind::kExtended:
      return MakeReal(std::strtod(tree->real_text.str().c_str(), nullptr), types().extended,
                      tree->span);
  }
  return MakeError(tree->span);
}

Operand Checker::CheckName(const ast::NameExpr* tree, NameUse use) {
  // ROOT is a keyword that stands for a type.
  if (tree->name == "ROOT") {
    Operand operand;
    operand.kind = Operand::Kind::kType;
    operand.type = types().root;
    return operand;
  }
  Symbol* symbol = LookUp({tree->name, tree->span}, use);
  if (symbol == nullptr) return {};
  return OperandOf(symbol, tree->span);
}

Operand Checker::OperandOf(Symbol* symbol, SourceSpan span) {
  Resolve(symbol);
  Operand operand;
  operand.symbol = symbol;
  switch (symbol->kind) {
    case SymbolKind::kError: return {};
    case SymbolKind::kConstant:
      if (symbol->constant == nullptr || symbol->type == nullptr || IsError(symbol->type))
        return {};
      operand.kind = Operand::Kind::kValue;
      operand.value = MakeConstant(symbol->constant, symbol->type, span);
      return operand;
    case SymbolKind::kType:
      if (symbol->type == nullptr || IsError(symbol->type)) return {};
      operand.kind = Operand::Kind::kType;
      operand.type = symbol->type;
      return operand;
    case SymbolKind::kException: operand.kind = Operand::Kind::kException; return operand;
    case SymbolKind::kInterface: operand.kind = Operand::Kind::kInterface; return operand;
    case SymbolKind::kBuiltin: operand.kind = Operand::Kind::kBuiltin; return operand;
    case SymbolKind::kProcedure: {
      if (symbol->procedure == nullptr) return {};
      // As a default in a type that is being resolved, the procedure may have that type in its
      // signature.
      if (types_in_progress_ == 0) Complete(symbol->type);
      auto* node = Node<ProcedureExpr>(span, symbol->type);
      node->procedure = symbol->procedure;
      operand.kind = Operand::Kind::kValue;
      operand.value = node;
      return operand;
    }
    case SymbolKind::kVariable: {
      Variable* variable = symbol->variable;
      if (variable == nullptr || symbol->type == nullptr || IsError(symbol->type)) return {};
      Procedure* here = body_ != nullptr ? body_->procedure : nullptr;
      if (variable->kind != Variable::Kind::kGlobal && variable->owner != here) {
        variable->used_by_nested = true;
        if (variable->owner == nullptr && !variable->alias) {
          // A local of a block in a module body, which runs once: it may as well be static.
          variable->kind = Variable::Kind::kGlobal;
          variable->symbol = UniqueSymbol(UnitSymbol() + ".(body)." + variable->name);
          unit_->checked->variables.push_back(variable);
        }
      }
      auto* node = Node<VariableExpr>(span, symbol->type);
      node->variable = variable;
      node->designator = true;
      node->writable = variable->writable;
      operand.kind = Operand::Kind::kValue;
      operand.value = node;
      return operand;
    }
  }
  return {};
}

// --- selection ---

Operand Checker::CheckSelect(const ast::SelectExpr* tree) {
  const auto* qualifier = ast::DynAs<ast::NameExpr>(static_cast<const ast::Expr*>(tree->operand));
  const Operand left = qualifier != nullptr ? CheckName(qualifier, NameUse::kQualifier)
                                            : CheckOperand(tree->operand);
  if (!tree->selector.name) return {};
  switch (left.kind) {
    case Operand::Kind::kError: return {};
    case Operand::Kind::kInterface: {
      Symbol* symbol = LookUpIn(left.symbol->interface, tree->selector);
      if (symbol == nullptr) return {};
      return OperandOf(symbol, tree->span);
    }
    case Operand::Kind::kType: return SelectFromType(left.type, tree);
    default: {
      Expr* value = ValueOf(left, tree->operand->span);
      if (IsError(value)) return {};
      return SelectFromValue(value, tree);
    }
  }
}

Operand Checker::SelectFromType(Type* type, const ast::SelectExpr* tree) {
  const std::string_view name = tree->selector.name.view();
  // Through a subrange of an enumeration all elements can be named, also those outside of the
  // subrange.
  Type* base = BaseType(type);
  if (auto* enumeration = As<EnumerationType>(base);
      enumeration != nullptr && enumeration->builtin != EnumerationType::Builtin::kChar &&
      enumeration->builtin != EnumerationType::Builtin::kWidechar) {
    for (size_t i = 0; i < enumeration->elements.size(); ++i) {
      if (enumeration->elements[i] == name) {
        return Value(MakeOrdinal(static_cast<int64_t>(i), base, tree->span));
      }
    }
    ReportMissing(MessageId::kNoSuchElement, type, tree->selector);
    return {};
  }
  if (KnownObject(type) != nullptr) {
    const Member member = FindMember(type, name);
    if (member.kind == Member::Kind::kMethod) return MethodConstant(type, member, tree->span);
    if (member.kind == Member::Kind::kField) {
      Error(MessageId::kFieldOfType, tree->selector.span, name, TypeToString(type));
      return {};
    }
    ReportMissing(MessageId::kNoSuchMethod, type, tree->selector);
    return {};
  }
  if (!IsError(SeeThrough(type))) {
    Error(MessageId::kNoMembers, tree->selector.span, "type " + TypeToString(type));
  }
  return {};
}

Member Checker::FindMember(Type* type, std::string_view name) {
  type = StripPacked(type);
  for (int steps = 0; steps < 10000 && type != nullptr; ++steps) {
    if (auto* opaque = As<OpaqueType>(type)) {
      type = unit_->KnownSuper(opaque);
      continue;
    }
    auto* object = As<ObjectType>(type);
    if (object == nullptr) return {};
    Complete(object);
    for (size_t i = 0; i < object->fields.size(); ++i) {
      if (object->fields[i].name == name) return {Member::Kind::kField, object, i};
    }
    for (size_t i = 0; i < object->methods.size(); ++i) {
      if (object->methods[i].name == name) return {Member::Kind::kMethod, object, i};
    }
    type = object->super;
  }
  return {};
}

Operand Checker::SelectFromValue(Expr* value, const ast::SelectExpr* tree) {
  const std::string_view name = tree->selector.name.view();
  Type* type = SeeThrough(value->type);
  if (auto* ref = As<RefType>(type)) {
    Complete(ref);
    if (SeeThrough(ref->referent)->kind == TypeKind::kRecord) {
      value = Deref(value, tree->operand->span);
      if (IsError(value)) return {};
      type = StripPacked(value->type);
    }
  }
  if (IsError(type)) return {};
  if (auto* record = As<RecordType>(type)) {
    for (size_t i = 0; i < record->fields.size(); ++i) {
      if (record->fields[i].name != name) continue;
      if (IsError(record->fields[i].type)) return {};
      if (auto* constant = ExprAs<ConstantExpr>(value);
          constant != nullptr && i < constant->value->components.size()) {
        return Value(
            MakeConstant(constant->value->components[i], record->fields[i].type, tree->span));
      }
      auto* node = Node<FieldExpr>(tree->span, record->fields[i].type);
      node->operand = value;
      node->record = record;
      node->field = i;
      node->designator = value->designator;
      node->writable = value->writable;
      return Value(node);
    }
    ReportMissing(MessageId::kNoSuchField, type, tree->selector, tree->operand);
    return {};
  }
  if (KnownObject(type) == nullptr) {
    DiagnosticBuilder error = Error(MessageId::kNoMembers, tree->selector.span,
                                    "a value of type " + TypeToString(value->type));
    advisor_->NoteDeclaration(error, value->type);
    if (const Advice advice = advisor_->MemberAdvice(value, tree); !advice.text.empty()) {
      advisor_->Advise(error, advice);
    } else {
      advisor_->SuggestForMemberless(value->type, tree, error);
    }
    return {};
  }
  const Member member = FindMember(type, name);
  switch (member.kind) {
    case Member::Kind::kNone:
      ReportMissing(MessageId::kNoSuchMember, type, tree->selector, tree->operand);
      return {};
    case Member::Kind::kField: {
      Type* field_type = member.object->fields[member.index].type;
      if (IsError(field_type)) return {};
      auto* node = Node<ObjectFieldExpr>(tree->span, field_type);
      node->operand = value;
      node->object_type = member.object;
      node->field = member.index;
      node->designator = node->writable = true;
      return Value(node);
    }
    case Member::Kind::kMethod: {
      Operand operand;
      operand.kind = Operand::Kind::kMethod;
      operand.value = value;
      operand.method_type = member.object;
      operand.method = member.index;
      return operand;
    }
  }
  return {};
}

Type* Checker::WhateverRevealed(OpaqueType* opaque) {
  for (; indexed_units_ < units_.size(); ++indexed_units_) {
    for (Revelation* revelation : units_[indexed_units_].revelations) {
      if (revelation->decl->is_partial || revelation->target == nullptr) continue;
      Identify(revelation->target);
      const auto* target = As<OpaqueType>(revelation->target->type);
      if (target != nullptr) complete_revelations_.emplace(target, revelation);
    }
  }
  const auto found = complete_revelations_.find(opaque);
  Type* revealed = found == complete_revelations_.end() ? nullptr : TypeOfRevelation(found->second);
  return revealed != nullptr && !IsError(revealed) ? revealed : unit_->KnownSuper(opaque);
}

std::vector<ObjectType*> Checker::LayersOf(Type* type) {
  std::vector<ObjectType*> layers;
  for (int steps = 0; steps < 10000 && type != nullptr; ++steps) {
    type = StripPacked(type);
    if (auto* opaque = As<OpaqueType>(type)) {
      type = WhateverRevealed(opaque);
      continue;
    }
    auto* object = As<ObjectType>(type);
    if (object == nullptr) break;
    layers.push_back(object);
    type = object->super;
  }
  return layers;
}

// The procedure that is the method of objects of exactly this type. All units are known by now, so
// this function looks into hidden layers too; only their effect is visible.
std::optional<Procedure*> Checker::StaticMethod(Type* type, ObjectType* method_type,
                                                size_t method) {
  const std::vector<ObjectType*> layers = LayersOf(type);
  // A layer may be written out more than once, in the declaration of an opaque type and in its
  // revelation. A type has one layer at each distance from ROOT, so two layers are the same if
  // their distance is; this can be asked even before the layers' members are known.
  const size_t distance = LayersOf(method_type).size();
  for (size_t i = 0; i < layers.size() && layers.size() - i >= distance; ++i) {
    ObjectType* object = layers[i];
    Complete(object);
    if (filling_.count(object) > 0) return std::nullopt;
    Procedure* found = nullptr;
    bool defined = layers.size() - i == distance && method < object->methods.size();
    if (defined) found = object->methods[method].default_procedure;
    for (const Override& overriding : object->overrides) {
      if (overriding.method != method || overriding.method_type == nullptr ||
          LayersOf(const_cast<ObjectType*>(overriding.method_type)).size() != distance) {
        continue;
      }
      found = overriding.procedure;
      defined = true;
    }
    if (!defined) continue;
    // The unit's code depends on the procedure even if the unit does not import its module.
    unit_->hidden_methods += (found == nullptr ? "NIL" : found->symbol) + " ";
    return found;
  }
  return nullptr;
}

// T.m: a procedure whose first formal is the object (12.2).
Operand Checker::MethodConstant(Type* type, const Member& member, SourceSpan span) {
  const std::optional<Procedure*> known = filling_.count(SeeThrough(type)) > 0
                                              ? std::nullopt
                                              : StaticMethod(type, member.object, member.index);
  if (!known) {
    Error(MessageId::kIllegalRecursion, span, TypeToString(type));
    return {};
  }
  Procedure* procedure = *known;
  const Method& method = member.object->methods[member.index];
  auto* procedure_type = types().New<ProcedureType>();
  procedure_type->signature = method.signature;
  Formal self;
  self.type = type;
  procedure_type->signature.formals.insert(procedure_type->signature.formals.begin(), self);
  if (procedure == nullptr) {
    Constant* nil = Make<Constant>();
    return Value(MakeConstant(nil, procedure_type, span));
  }
  procedure->address_taken = true;
  auto* node = Node<ProcedureExpr>(span, procedure_type);
  node->procedure = procedure;
  return Value(node);
}

// --- dereference, subscript ---

Expr* Checker::Deref(Expr* operand, SourceSpan span) {
  if (IsError(operand)) return MakeError(span);
  Type* type = SeeThrough(operand->type);
  auto* ref = As<RefType>(type);
  if (ref == nullptr) {
    const bool reference = IsReference(type);
    auto error = Error(reference ? MessageId::kCannotDeref : MessageId::kNotReference, span,
                       TypeToString(operand->type));
    advisor_->NoteDeclaration(error, operand->type);
    const SourceSpan caret{span.file, span.end - 1, span.end};
    if (KnownObject(type) != nullptr || !reference) {
      error.Hint(reference ? "an object needs no ^: its fields are selected with ."
                           : "write it without ^");
      if (caret.text() == "^") error.Fix(caret, "");
    } else if (operand->type == types().text) {
      error.Hint("interface Text has procedures for texts");
    } else {
      error.Hint("NARROW(" + ShortSource(operand->span) + ", T)^ looks at it as a T");
    }
    return MakeError(span);
  }
  Complete(ref);
  if (ref->referent == nullptr || IsError(ref->referent)) return MakeError(span);
  auto* node = Node<DerefExpr>(span, ref->referent);
  node->operand = operand;
  node->designator = node->writable = true;
  return node;
}

Expr* Checker::Subscript(Expr* array, Expr* index, SourceSpan span,
                         const ast::SubscriptExpr* tree) {
  Type* type = StripPacked(array->type);
  Type *index_type = types().integer, *element = nullptr;
  if (auto* fixed = As<ArrayType>(type)) {
    index_type = fixed->index;
    element = fixed->element;
  } else if (auto* open = As<OpenArrayType>(type)) {
    index_type = types().cardinal;
    element = open->element;
  } else {
    auto error = Error(MessageId::kNotArray, array->span, TypeToString(array->type));
    advisor_->NoteDeclaration(error, array->type);
    advisor_->Advise(error, advisor_->SubscriptAdvice(array, tree));
    return MakeError(span);
  }
  if (IsError(index) || IsError(element)) return MakeError(span);
  if (Assignable(index->type, index_type) == Assignability::kNo) {
    advisor_->ReportNotAssignable(index, index_type, index->span,
                                  {.kind = Receiver::Kind::kIndex, .owner = array->span});
    return MakeError(span);
  }
  index = ToBase(index);
  const Constant* constant = OrdinalConstant(index);
  if (constant != nullptr && type->kind == TypeKind::kArray) {
    const bool inside =
        constant->ordinal >= FirstOf(index_type) && constant->ordinal <= LastOf(index_type);
    if (!inside) {
      auto warning = Warn(MessageId::kSubscriptOutOfRange, index->span, TypeToString(index_type));
      if (constant->ordinal < 0 && FirstOf(index_type) >= 0) {
        // Other languages count from the end.
        const std::string source = ShortSource(array->span);
        const std::string back =
            constant->ordinal == -1 ? "" : " - " + std::to_string(-constant->ordinal - 1);
        warning.Hint("LAST(" + source + ")" + back + " counts from the end");
      }
    }
    if (auto* value = ExprAs<ConstantExpr>(array); value != nullptr && inside) {
      const auto at = static_cast<size_t>(constant->ordinal - FirstOf(index_type));
      if (at < value->value->components.size())
        return MakeConstant(value->value->components[at], element, span);
    }
  } else if (constant != nullptr) {
    if (auto* value = ExprAs<ConstantExpr>(array)) {
      const auto at = static_cast<size_t>(constant->ordinal);
      if (at < value->value->components.size())
        return MakeConstant(value->value->components[at], element, span);
    }
  }
  auto* node = Node<SubscriptExpr>(span, element);
  node->operand = array;
  node->index = index;
  node->designator = array->designator;
  node->writable = array->writable;
  return node;
}

Operand Checker::CheckSubscript(const ast::SubscriptExpr* tree) {
  Expr* array = CheckExpr(tree->operand);
  // a[i, j] is a[i][j], so each step may go through a reference.
  for (const ast::Expr* index_tree : tree->indices) {
    Expr* index = CheckExpr(index_tree);
    if (IsError(array)) continue;
    if (auto* ref = As<RefType>(SeeThrough(array->type))) {
      Complete(ref);
      const TypeKind kind =
          ref->referent == nullptr ? TypeKind::kError : StripPacked(ref->referent)->kind;
      if (kind == TypeKind::kArray || kind == TypeKind::kOpenArray || kind == TypeKind::kError) {
        array = Deref(array, array->span);
        if (IsError(array)) continue;
      }
    }
    array = Subscript(array, index, Join(tree->operand->span, index_tree->span), tree);
  }
  if (!IsError(array)) array->span = tree->span;
  return Value(array);
}

}  // namespace tenure::compiler
