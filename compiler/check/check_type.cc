// Type constructors (docs/language.md 5). The components of REF, PROCEDURE and OBJECT are filled in
// later, so that declarations may be recursive (4).
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

constexpr int64_t kLargestSet = int64_t{1} << 24;  // elements

// An instance with RootTransient before the actuals that its generic asks for (27.4): all its types
// are transient.
bool IsRootedTransient(const UnitInfo& unit) {
  return unit.instance != nullptr && unit.instance->actuals.size() > unit.tree->formals.size() &&
         unit.instance->actuals[0].name.view() == "RootTransient";
}

}  // namespace

void Checker::Defer(Type* type, std::function<void()> fill) {
  fills_[type] = [this, unit = unit_, scope = scope_, body = body_, hint = type_name_hint_,
                  fill = std::move(fill)] {
    ContextScope context(*this);
    unit_ = unit;
    scope_ = scope;
    body_ = body;
    const std::string outer_hint = std::exchange(type_name_hint_, hint);
    fill();
    type_name_hint_ = outer_hint;
  };
  fill_order_.push_back(type);
}

void Checker::Complete(const Type* type) {
  const auto found = fills_.find(type);
  if (found == fills_.end()) return;
  const std::function<void()> fill = std::move(found->second);
  fills_.erase(found);
  filling_.insert(type);
  fill();
  filling_.erase(type);
}

void Checker::Settle() {
  if (types_in_progress_ > 0) return;
  while (!fill_order_.empty()) {
    Type* type = fill_order_.front();
    fill_order_.pop_front();
    Complete(type);
  }
}

void Checker::SettleFor(std::vector<Type*> reached) {
  // While a type is being filled in, other types would see it half filled.
  if (constants_in_progress_ == 0 && filling_.empty()) return Settle();
  if (types_in_progress_ > 0) return;
  std::set<const Type*> seen;
  auto reach_signature = [&](const Signature& signature) {
    for (const Formal& formal : signature.formals) reached.push_back(formal.type);
    reached.push_back(signature.result);
  };
  while (!reached.empty()) {
    const Type* type = reached.back();
    reached.pop_back();
    if (type == nullptr || !seen.insert(type).second) continue;
    Complete(type);
    if (const auto* array = As<ArrayType>(type)) {
      reached.push_back(array->element);
    } else if (const auto* open = As<OpenArrayType>(type)) {
      reached.push_back(open->element);
    } else if (const auto* packed = As<PackedType>(type)) {
      reached.push_back(packed->base);
    } else if (const auto* record = As<RecordType>(type)) {
      for (const Field& field : record->fields) reached.push_back(field.type);
    } else if (const auto* ref = As<RefType>(type)) {
      reached.push_back(ref->referent);
    } else if (const auto* procedure = As<ProcedureType>(type)) {
      reach_signature(procedure->signature);
    } else if (const auto* opaque = As<OpaqueType>(type)) {
      reached.push_back(opaque->bound);
    } else if (const auto* object = As<ObjectType>(type)) {
      reached.push_back(object->super);
      for (const Field& field : object->fields) reached.push_back(field.type);
      for (const Method& method : object->methods) reach_signature(method.signature);
    }
  }
}

Type* Checker::ResolveType(const ast::TypeExpr* tree) {
  if (tree == nullptr) return types().error;
  switch (tree->kind) {
    case ast::TypeKind::kError: return types().error;
    case ast::TypeKind::kNamed: return ResolveNamedType(ast::As<ast::NamedType>(tree));
    case ast::TypeKind::kArray: return ResolveArray(ast::As<ast::ArrayType>(tree));
    case ast::TypeKind::kPacked: return ResolvePacked(ast::As<ast::PackedType>(tree));
    case ast::TypeKind::kEnumeration:
      return ResolveEnumeration(ast::As<ast::EnumerationType>(tree));
    case ast::TypeKind::kObject: return ResolveObject(ast::As<ast::ObjectType>(tree));
    case ast::TypeKind::kProcedure: return ResolveProcedureType(ast::As<ast::ProcedureType>(tree));
    case ast::TypeKind::kRecord: return ResolveRecord(ast::As<ast::RecordType>(tree));
    case ast::TypeKind::kRef: return ResolveRef(ast::As<ast::RefType>(tree));
    case ast::TypeKind::kSet: return ResolveSet(ast::As<ast::SetType>(tree));
    case ast::TypeKind::kSubrange: return ResolveSubrange(ast::As<ast::SubrangeType>(tree));
  }
  return types().error;
}

Type* Checker::ResolveNamedType(const ast::NamedType* tree) {
  switch (tree->form) {
    case ast::NamedType::Form::kRoot:
      return tree->is_transient ? types().transient_root : types().root;
    case ast::NamedType::Form::kUntracedRoot: return types().untraced_root;
    case ast::NamedType::Form::kQualId: break;
  }
  Symbol* symbol = LookUpQualified(tree->id, NameUse::kType);
  if (symbol == nullptr || symbol->kind == SymbolKind::kError) return types().error;
  if (symbol->kind != SymbolKind::kType) {
    auto error = Error(MessageId::kNotType, tree->id.span, tree->id.span.text());
    advisor_->Advise(error, advisor_->NotTypeAdvice(symbol, tree->id.span));
    return types().error;
  }
  Resolve(symbol);
  Type* type = symbol->type != nullptr ? symbol->type : types().error;
  if (tree->is_transient && type == types().refany) return types().transient_refany;
  return type;
}

Type* Checker::ResolveArray(const ast::ArrayType* tree) {
  Type* element = ResolveType(tree->element);
  if (tree->indices.empty()) {
    if (IsError(element)) return element;
    auto* open = types().New<OpenArrayType>();
    open->element = element;
    open->transient = tree->is_transient;
    return open;
  }
  if (StripPacked(element)->kind == TypeKind::kOpenArray) {
    Error(MessageId::kOpenArrayHere, tree->element->span, "an element of a fixed array");
    element = types().error;
  }
  std::vector<Type*> indices;
  for (const ast::TypeExpr* index_tree : tree->indices) {
    Type* index = ResolveType(index_tree);
    if (!IsError(index) && !IsOrdinal(index)) {
      auto error = Error(MessageId::kNotOrdinal, index_tree->span, "the index of an array",
                         TypeToString(index));
      if (index == types().text)
        error.Hint("the library's generic Table finds values by a TEXT");
      else
        error.Hint("the index is a range or an enumeration: ARRAY [0..9] OF T");
      index = types().error;
    }
    indices.push_back(index);
  }
  if (IsError(element)) return element;
  for (size_t i = indices.size(); i-- > 0;) {
    if (IsError(indices[i])) return types().error;
    auto* array = types().New<ArrayType>();
    array->index = indices[i];
    array->element = element;
    const int64_t first = FirstOf(array->index), last = LastOf(array->index);
    const auto count = last < first ? __int128{0} : static_cast<__int128>(last) - first + 1;
    const int64_t bits = BitSizeOf(element);
    if (count > int64_t{1} << 40 || count * bits > static_cast<__int128>(kMaxTypeBytes) * 8) {
      Error(MessageId::kTooLarge, tree->span, "array");
      return types().error;
    }
    // The mark is on the whole, and the first dimension is the outermost.
    array->transient = i == 0 && tree->is_transient;
    element = array;
  }
  return element;
}

Type* Checker::ResolvePacked(const ast::PackedType* tree) {
  Type* base = ResolveType(tree->base);
  Type* type = nullptr;
  const Constant* bits = CheckConstant(tree->bits, &type, "the number of bits");
  if (bits == nullptr || IsError(base)) return types().error;
  if (BaseType(type)->kind != TypeKind::kInteger) {
    Error(MessageId::kNotInteger, tree->bits->span, "the number of bits", TypeToString(type));
    return types().error;
  }
  if (StripPacked(base)->kind == TypeKind::kOpenArray) {
    Error(MessageId::kOpenArrayHere, tree->base->span, "the base of a packed type");
    return types().error;
  }
  // A type that packs into a number of bits lies within one word. Other types keep their own layout
  // in spite of packing.
  const int64_t tight = TightBits(base), natural = LayoutOf(base).bytes * 8;
  const bool in_word = tight <= 64;
  const int64_t least = in_word ? tight : natural;
  const bool fits =
      (in_word && bits->ordinal >= tight && bits->ordinal <= 64) || bits->ordinal == natural;
  if (!fits) {
    Error(MessageId::kBadBits, tree->bits->span, bits->ordinal, TypeToString(base), least);
    return types().error;
  }
  auto* packed = types().New<PackedType>();
  packed->bits = bits->ordinal;
  packed->base = StripPacked(base);
  return packed;
}

Type* Checker::ResolveEnumeration(const ast::EnumerationType* tree) {
  auto* enumeration = types().New<EnumerationType>();
  std::map<std::string_view, SourceSpan> names;
  for (const ast::Ident& element : tree->elements) {
    if (!names.emplace(element.name.view(), element.span).second) {
      Error(MessageId::kDeclaredTwice, element.span, element.name)
          .Note(MessageId::kDeclaredHere, names[element.name.view()], element.name);
      continue;
    }
    enumeration->elements.push_back(element.name.str());
  }
  enumeration->count = static_cast<int64_t>(enumeration->elements.size());
  return enumeration;
}

Type* Checker::ResolveRecord(const ast::RecordType* tree) {
  auto* record = types().New<RecordType>();
  record->transient = tree->is_transient;
  std::map<std::string_view, SourceSpan> names;
  FillFields(tree->fields, &record->fields, names);
  Verify([this, tree, record] {
    if (LayoutOf(record).bytes > kMaxTypeBytes) Error(MessageId::kTooLarge, tree->span, "record");
  });
  return record;
}

void Checker::FillFields(const std::vector<ast::FieldGroup>& groups, std::vector<Field>* out,
                         std::map<std::string_view, SourceSpan>& names) {
  for (const ast::FieldGroup& group : groups) {
    const Constant* value = nullptr;
    Type* type = WithDefault(group.type, group.default_value, &value, "the default of a field");
    const SourceSpan type_span = group.type != nullptr ? group.type->span : group.span;
    CheckVariableType(type, type_span, "a field");
    if (IsEmptyType(type) || StripPacked(type)->kind == TypeKind::kOpenArray) type = types().error;
    for (const ast::Ident& name : group.names) {
      if (name.name && !names.emplace(name.name.view(), name.span).second) {
        Error(MessageId::kMemberTwice, name.span, name.name)
            .Note(MessageId::kDeclaredHere, names[name.name.view()], name.name);
        continue;
      }
      Field field;
      field.name = name.name.str();
      field.type = type;
      field.default_value = value;
      field.transient = group.is_transient;
      out->push_back(field);
    }
  }
}

Type* Checker::ResolveSet(const ast::SetType* tree) {
  Type* element = ResolveType(tree->element);
  if (IsError(element)) return element;
  if (!IsOrdinal(element)) {
    Error(MessageId::kNotOrdinal, tree->element->span, "the element of a set",
          TypeToString(element))
        .Hint(
            "sets hold integers of a range, enumerations or characters; the library's generic "
            "Set keeps values of other types");
    return types().error;
  }
  const auto count = static_cast<__int128>(LastOf(element)) - FirstOf(element) + 1;
  if (count > kLargestSet) {
    Error(MessageId::kTooLarge, tree->span, "set")
        .Hint("give the elements a range: SET OF [0..255]");
    return types().error;
  }
  auto* set = types().New<SetType>();
  set->element = StripPacked(element);
  return set;
}

Type* Checker::ResolveSubrange(const ast::SubrangeType* tree) {
  Type *low_type = nullptr, *high_type = nullptr;
  const Constant* low = CheckConstant(tree->low, &low_type, "the bound of a subrange");
  const Constant* high = CheckConstant(tree->high, &high_type, "the bound of a subrange");
  if (low == nullptr || high == nullptr) return types().error;
  for (const auto& [type, span] :
       {std::pair{low_type, tree->low->span}, std::pair{high_type, tree->high->span}}) {
    if (!IsOrdinal(type)) {
      Error(MessageId::kNotOrdinal, span, "the bound of a subrange", TypeToString(type))
          .Hint("only integers, enumerations and characters have subranges");
      return types().error;
    }
  }
  if (!SameTypeIn(*unit_, BaseType(low_type), BaseType(high_type))) {
    Error(MessageId::kBoundsDiffer, tree->span, TypeToString(BaseType(low_type)),
          TypeToString(BaseType(high_type)));
    return types().error;
  }
  auto* subrange = types().New<SubrangeType>();
  subrange->base = BaseType(low_type);
  subrange->low = low->ordinal;
  subrange->high = high->ordinal;
  return subrange;
}

std::optional<std::string> Checker::ResolveBrand(const ast::Brand& brand) {
  if (!brand.is_branded) return std::nullopt;
  if (brand.text == nullptr) {
    // The brand is unique in the program. It is the same at each compilation of the source,
    // whatever else is in the program.
    return UniqueSymbol("(" + UnitSymbol() + " " + type_name_hint_ + ")");
  }
  Type* type = nullptr;
  const Constant* text = CheckConstant(brand.text, &type, "a brand");
  if (text == nullptr) return std::nullopt;
  if (text->kind != Constant::Kind::kText) {
    Error(MessageId::kBrandNotText, brand.text->span, TypeToString(type));
    return std::nullopt;
  }
  std::string result;
  for (const char32_t c : text->text) {
    if (c < 256) {
      result += static_cast<char>(c);
    } else {
      result += "\\U" + std::to_string(static_cast<uint32_t>(c));
    }
  }
  // The instance with RootTransient has the same text as the instance without it, so this word
  // tells their brands apart.
  if (IsRootedTransient(*unit_)) result += " RootTransient";
  return result;
}

Type* Checker::ResolveRef(const ast::RefType* tree) {
  auto* ref = types().New<RefType>();
  ref->traced = !tree->is_untraced;
  ref->transient = tree->is_transient || (ref->traced && IsRootedTransient(*unit_));
  ref->brand = ResolveBrand(tree->brand);
  if (ref->brand && tree->brand.text != nullptr)
    brands_[*ref->brand].push_back({ref, tree->brand.span, unit_});
  Defer(ref, [this, tree, ref] {
    ref->referent = ResolveType(tree->referent);
    if (!ref->traced && !unit_->is_unsafe) {
      Verify([this, tree, ref] {
        if (ContainsTraced(ref->referent)) {
          Error(MessageId::kUntracedToTraced, tree->referent->span, TypeToString(ref->referent));
        }
      });
    }
  });
  return ref;
}

Type* Checker::ResolveProcedureType(const ast::ProcedureType* tree) {
  auto* type = types().New<ProcedureType>();
  type->c_convention = tree->convention != ast::CallingConvention::kModula3;
  Defer(type, [this, tree, type] { CheckSignature(tree->signature, &type->signature); });
  return type;
}

// --- objects ---

Type* Checker::ResolveObject(const ast::ObjectType* tree) {
  Type* super = IsRootedTransient(*unit_) ? types().transient_root : types().root;
  if (tree->supertype != nullptr) {
    super = ResolveType(tree->supertype);
    if (IsError(super)) return super;
    super = StripPacked(super);
    if (KnownObject(super) == nullptr) {
      if (!IsError(SeeThrough(super))) {
        auto error = Error(MessageId::kSuperNotObject, tree->supertype->span, TypeToString(super));
        advisor_->NoteDeclaration(error, super);
        error.Hint("only object types have subtypes with fields and methods; a field can hold a " +
                   TypeToString(super));
      }
      return types().error;
    }
  }
  const ObjectType* known = KnownObject(super);
  auto* object = types().New<ObjectType>();
  object->super = super;
  object->traced = known->traced;
  object->transient = known->transient;
  object->brand = ResolveBrand(tree->brand);
  if (object->brand && tree->brand.text != nullptr)
    brands_[*object->brand].push_back({object, tree->brand.span, unit_});
  Defer(object, [this, tree, object] { FillObject(tree, object); });
  return object;
}

void Checker::FillObject(const ast::ObjectType* tree, ObjectType* object) {
  std::map<std::string_view, SourceSpan> names;
  FillFields(tree->fields, &object->fields, names);
  Verify([this, tree, object] {
    // Checks the size with the layers above that this unit knows.
    if (PayloadOf(object).bytes > kMaxTypeBytes)
      Error(MessageId::kTooLarge, tree->span, "object type");
  });
  if (!object->traced && !unit_->is_unsafe) {
    Verify([this, tree, object] {
      for (const Field& field : object->fields) {
        if (!ContainsTraced(field.type)) continue;
        Error(MessageId::kTracedInUntraced, tree->span, field.name);
      }
    });
  }
  FillMethods(tree, object, names);
  FillOverrides(tree, object, names);
}

void Checker::FillMethods(const ast::ObjectType* tree, ObjectType* object,
                          std::map<std::string_view, SourceSpan>& names) {
  // All signatures first: a default may name the object type itself.
  std::vector<const ast::Method*> trees;
  for (const ast::Method& method_tree : tree->methods) {
    if (method_tree.name.name &&
        !names.emplace(method_tree.name.name.view(), method_tree.name.span).second) {
      Error(MessageId::kMemberTwice, method_tree.name.span, method_tree.name.name)
          .Note(MessageId::kDeclaredHere, names[method_tree.name.name.view()],
                method_tree.name.name);
      continue;
    }
    Method method;
    method.name = method_tree.name.name.str();
    CheckSignature(method_tree.signature, &method.signature);
    object->methods.push_back(std::move(method));
    trees.push_back(&method_tree);
  }
  for (size_t i = 0; i < trees.size(); ++i) {
    const ast::Expr* value_tree = trees[i]->default_value;
    if (value_tree == nullptr) continue;
    Type* type = nullptr;
    const Constant* value = CheckConstant(value_tree, &type, "the default of a method");
    if (value == nullptr || value->kind == Constant::Kind::kNil) continue;
    if (value->kind != Constant::Kind::kProcedure) {
      Error(MessageId::kMethodNotProcedure, value_tree->span, TypeToString(type));
      continue;
    }
    object->methods[i].default_procedure = value->procedure;
    value->procedure->address_taken = true;
    Verify([this, object, i, value, type, value_tree, name = trees[i]->name.name] {
      VerifyMethodValue(object, &object->methods[i].signature, value->procedure, type,
                        value_tree->span, name);
    });
  }
}

void Checker::FillOverrides(const ast::ObjectType* tree, ObjectType* object,
                            std::map<std::string_view, SourceSpan>& names) {
  for (const ast::Override& override_tree : tree->overrides) {
    const Name name = override_tree.name.name;
    if (name && !names.emplace(name.view(), override_tree.name.span).second) {
      Error(MessageId::kMemberTwice, override_tree.name.span, name)
          .Note(MessageId::kDeclaredHere, names[name.view()], name);
      continue;
    }
    const Member member = FindMember(object->super, name.view());
    if (member.kind != Member::Kind::kMethod) {
      DiagnosticBuilder error = Error(MessageId::kNoSuchMethod, override_tree.name.span,
                                      TypeToString(object->super), name);
      if (object->super == nullptr) continue;
      const std::string meant =
          advisor_->SuggestMember(object->super, override_tree.name, nullptr, error,
                                  /*methods_only=*/true);
      if (!meant.empty()) error.Fix(override_tree.name.span, meant);
      continue;
    }
    Override result;
    result.name = name.str();
    result.method_type = member.object;
    result.method = member.index;
    Type* type = nullptr;
    const Constant* value = CheckConstant(override_tree.value, &type, "an override");
    if (value == nullptr) continue;
    if (value->kind != Constant::Kind::kNil && value->kind != Constant::Kind::kProcedure) {
      Error(MessageId::kMethodNotProcedure, override_tree.value->span, TypeToString(type));
      continue;
    }
    if (value->kind == Constant::Kind::kProcedure) {
      result.procedure = value->procedure;
      value->procedure->address_taken = true;
      Verify([this, object, member, value, type, span = override_tree.value->span, name] {
        VerifyMethodValue(object, &member.object->methods[member.index].signature, value->procedure,
                          type, span, name);
      });
    }
    object->overrides.push_back(result);
  }
}

// The object type as a formal of this unit can name it.
std::string Checker::SelfType(const ObjectType* object) {
  const std::string name = object->name.empty() ? "" : advisor_->TypeHere(object);
  return name.empty() ? "T" : name;
}

// Rule 5.10.6.
void Checker::VerifyMethodValue(ObjectType* object, const Signature* signature,
                                Procedure* procedure, Type* procedure_type, SourceSpan span,
                                Name method) {
  const auto* type = As<ProcedureType>(StripPacked(procedure_type));
  if (type == nullptr) return;
  Complete(type);
  if (procedure->parent != nullptr) {
    Error(MessageId::kMethodNotProcedure, span, "a local procedure")
        .Note(MessageId::kDeclaredHere, procedure->span, procedure->name)
        .Hint("move " + procedure->name + " out to the top level of the module");
    return;
  }
  const Signature& actual = type->signature;
  if (actual.formals.empty()) {
    Error(MessageId::kMethodNeedsSelf, span, procedure->name, method)
        .Note(MessageId::kDeclaredHere, procedure->span, procedure->name)
        .Hint("write PROCEDURE " + procedure->name + "(self: " + SelfType(object) + ")");
    return;
  }
  const Formal& self = actual.formals[0];
  if (self.mode != ParameterMode::kValue || !Subtype(object, self.type)) {
    auto error = Error(MessageId::kMethodSelfType, span, procedure->name, method,
                       TypeToString(object), SignatureToString(actual));
    error.Note(MessageId::kDeclaredHere, procedure->span, procedure->name);
    if (Same(self.type, object)) {
      error.Hint("write the formal without VAR and READONLY: " + self.name + ": " +
                 SelfType(object));
    } else if (Covers(*unit_, *signature, actual, false)) {
      error.Hint("add a formal for the object in front: " + procedure->name +
                 "(self: " + SelfType(object) + "; ...)");
    } else {
      error.Hint("the first formal is the object: " + procedure->name +
                 "(self: " + SelfType(object) + "; ...)");
    }
    return;
  }
  if (!Covers(*unit_, *signature, actual, true)) {
    auto error = Error(MessageId::kMethodNotCovered, span, procedure->name, method);
    error.Note(MessageId::kDeclaredHere, procedure->span, procedure->name);
    error.Hint(advisor_->SignatureDifference(*signature, actual, true));
  }
}

}  // namespace tenure::compiler
