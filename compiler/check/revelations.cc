// Opaque types and their revelations as each unit sees them (docs/language.md 9).
#include <algorithm>

#include "compiler/check/advisor.h"
#include "compiler/check/checker.h"
#include "compiler/types/describe.h"
#include "compiler/types/equality.h"

namespace tenure::compiler {

namespace {

// A scope that sees every complete revelation, for the rules about the program as a whole (9.9).
class WholeProgram : public RevelationScope {
 public:
  Type* Revealed(const OpaqueType* opaque) const override { return opaque->concrete; }
  Type* KnownSuper(const OpaqueType* opaque) const override {
    return opaque->concrete != nullptr ? opaque->concrete : opaque->bound;
  }
};

}  // namespace

// --- what a unit sees ---

const UnitInfo::RevelationsByType& UnitInfo::VisibleRevelations() const {
  if (!visible_known_) {
    auto for_each = [&](const auto& action) {
      for (Revelation* revelation : revelations) {
        if (revelation->target != nullptr) action(revelation);
      }
      for (const UnitInfo* interface : revealing) {
        for (Revelation* revelation : interface->revelations) {
          if (revelation->target != nullptr) action(revelation);
        }
      }
    };
    // Resolving may ask this unit again, so resolve everything before noting anything.
    for_each([&](Revelation* revelation) { checker->Identify(revelation->target); });
    if (!visible_known_) {
      visible_known_ = true;
      for_each([&](Revelation* revelation) {
        if (const auto* target = As<OpaqueType>(revelation->target->type))
          visible_[target].push_back(revelation);
      });
    }
  }
  return visible_;
}

UnitInfo::Knowledge& UnitInfo::Know(const OpaqueType* opaque) const {
  Knowledge& knowledge = knowledge_[opaque];
  if (knowledge.known || knowledge.in_progress) return knowledge;
  knowledge.in_progress = true;
  checker->EnsureBound(opaque);
  Type* complete = nullptr;
  Type* wrong = nullptr;
  std::vector<Type*> supers;
  std::vector<Revelation*> visible;
  const RevelationsByType& all = VisibleRevelations();
  if (const auto found = all.find(opaque); found != all.end()) visible = found->second;
  for (Revelation* revelation : visible) {
    Type* type = checker->TypeOfRevelation(revelation);
    // The type is being resolved: its revelation is not known yet, and this answer must not be
    // kept.
    if (type == nullptr) {
      Knowledge& again = knowledge_[opaque];
      again.in_progress = false;
      again.super = opaque->bound;
      return again;
    }
    if (type == opaque) continue;
    if (type->kind == TypeKind::kError) {
      wrong = type;
    } else if (revelation->decl->is_partial) {
      supers.push_back(type);
    } else if (complete == nullptr) {
      complete = type;
    }
  }
  // A wrong revelation has been reported; its consequences are not reported.
  if (complete == nullptr) complete = wrong;
  Type* super = opaque->bound;
  if (complete != nullptr) {
    super = complete;
  } else {
    for (Type* candidate : supers) {
      if (super == nullptr || IsSubtypeOf(*this, candidate, super)) super = candidate;
    }
  }
  Knowledge& result = knowledge_[opaque];
  result.complete = complete;
  result.super = super;
  result.known = true;
  result.in_progress = false;
  return result;
}

Type* UnitInfo::Revealed(const OpaqueType* opaque) const { return Know(opaque).complete; }

Type* UnitInfo::KnownSuper(const OpaqueType* opaque) const {
  Type* super = Know(opaque).super;
  return super != nullptr ? super : opaque->bound;
}

// --- declarations ---

void Checker::IndexRevelations(UnitInfo* unit) {
  ContextScope context(*this);
  unit_ = unit;
  scope_ = unit->scope;
  body_ = &unit->body;
  for (const ast::Decl* decl : unit->tree->block.declarations) {
    const auto* reveal = ast::DynAs<ast::RevealDecl>(decl);
    if (reveal == nullptr) continue;
    Revelation* revelation = &revelations_.emplace_back();
    revelation->unit = unit;
    revelation->decl = reveal;
    revelation->target = LookUpQualified(reveal->name, NameUse::kType);
    if (revelation->target != nullptr && revelation->target->kind != SymbolKind::kType) {
      if (revelation->target->kind != SymbolKind::kError) {
        Error(MessageId::kNotOpaque, reveal->name.span, reveal->name.span.text());
      }
      revelation->target = nullptr;
    }
    unit->revelations.push_back(revelation);
  }
}

Type* Checker::TypeOfRevelation(Revelation* revelation) {
  if (revelation->state == ResolveState::kDone) return revelation->type;
  if (revelation->state == ResolveState::kInProgress) return nullptr;
  revelation->state = ResolveState::kInProgress;
  ContextScope context(*this);
  unit_ = revelation->unit;
  scope_ = unit_->scope;
  body_ = &unit_->body;
  const ast::RevealDecl* decl = revelation->decl;
  const std::string outer_hint = type_name_hint_;
  type_name_hint_ = "REVEAL " + std::string(decl->name.span.text());
  ++types_in_progress_;
  Type* type = ResolveType(decl->type);
  --types_in_progress_;
  type_name_hint_ = outer_hint;
  if (revelation->target == nullptr) type = types().error;
  revelation->type = type;
  revelation->state = ResolveState::kDone;
  if (revelation->target == nullptr) return type;

  Identify(revelation->target);
  const auto* opaque = As<OpaqueType>(revelation->target->type);
  if (IsError(type)) {
    opaque_symbols_.erase(opaque);  // it has a revelation, though a wrong one
    return type;
  }
  if (opaque == nullptr) {
    if (!IsError(revelation->target->type)) {
      Error(MessageId::kNotOpaque, decl->name.span, decl->name.span.text());
    }
    revelation->type = types().error;
    return revelation->type;
  }
  if (const auto* object = As<ObjectType>(type); object != nullptr && object->super == opaque) {
    Error(MessageId::kIllegalRecursion, decl->name.span, opaque->name);
    revelation->type = types().error;
    return revelation->type;
  }
  if (!decl->is_partial) {
    const bool constructor =
        decl->type->kind == ast::TypeKind::kObject || decl->type->kind == ast::TypeKind::kRef;
    const auto* object_tree = ast::DynAs<ast::ObjectType>(decl->type);
    const auto* ref_tree = ast::DynAs<ast::RefType>(decl->type);
    // A brand that is wrong has been reported.
    const bool branded = (object_tree != nullptr && object_tree->brand.is_branded) ||
                         (ref_tree != nullptr && ref_tree->brand.is_branded);
    if (!constructor || !branded) {
      // Note the revelation in spite of the error, so that its consequences are not reported.
      auto error = Error(MessageId::kRevealNeedsBrand, decl->type->span, decl->name.span.text());
      if (!constructor) {
        error.Hint("BRANDED REF ..., or a subtype: S BRANDED OBJECT ... END");
      } else {
        // The word stands before REF or OBJECT.
        const bool has_super = object_tree != nullptr && object_tree->supertype != nullptr;
        const uint32_t at = has_super ? object_tree->supertype->span.end : decl->type->span.begin;
        error.Hint(object_tree != nullptr ? "write BRANDED OBJECT" : "write BRANDED REF");
        if (ref_tree == nullptr || !ref_tree->is_untraced) {
          error.Fix(decl->type->span.file->Span(at, at), has_super ? " BRANDED" : "BRANDED ");
        }
      }
    }
    if (type->name.empty()) type->name = opaque->name;
    all_revelations[opaque].push_back(revelation);
  } else if (!IsReference(type)) {
    Error(MessageId::kNotReferenceBound, decl->type->span, TypeToString(type));
    revelation->type = types().error;
  }
  return revelation->type;
}

namespace {

// A type that got its name from its revelation, as the revelation spells it.
std::string Written(const Type* type, const std::string& name) {
  if (type->name != name) return TypeToString(type);
  const auto without_name = [](auto copy) {
    copy.name.clear();
    return TypeToString(&copy);
  };
  if (const auto* ref = As<RefType>(type)) return without_name(*ref);
  if (const auto* object = As<ObjectType>(type)) return without_name(*object);
  return TypeToString(type);
}

}  // namespace

void Checker::EnsureBound(const OpaqueType* opaque) {
  if (opaque->bound != nullptr) return;
  if (const auto found = opaque_symbols_.find(opaque); found != opaque_symbols_.end())
    Resolve(found->second);
}

// The rules that hold in one scope: 9.1, 9.8.
void Checker::CheckRevelations(UnitInfo* unit) {
  ContextScope context(*this);
  unit_ = unit;
  scope_ = unit->scope;
  for (Revelation* revelation : unit->revelations) {
    if (revelation->target == nullptr || revelation->type == nullptr || IsError(revelation->type))
      continue;
    const auto* opaque = As<OpaqueType>(revelation->target->type);
    if (opaque == nullptr) continue;
    revelation->target->used = true;
    if (opaque->bound != nullptr && revelation->type != opaque &&
        !Subtype(revelation->type, opaque->bound) && !Subtype(opaque->bound, revelation->type)) {
      auto error =
          Error(MessageId::kRevelationContradicts, revelation->decl->type->span, opaque->name,
                Written(revelation->type, opaque->name), TypeToString(opaque->bound));
      const auto* tree =
          ast::DynAs<ast::ObjectType>(static_cast<const ast::TypeExpr*>(revelation->decl->type));
      if (tree != nullptr && As<ObjectType>(opaque->bound) != nullptr) {
        const std::string bound = advisor_->TypeHere(opaque->bound);
        error.Hint(
            "the supertype stands first: " + (bound.empty() ? TypeToString(opaque->bound) : bound) +
            " BRANDED OBJECT ... END");
        const uint32_t at = revelation->decl->type->span.begin;
        if (!bound.empty() && tree->supertype == nullptr) {
          error.Fix(revelation->decl->type->span.file->Span(at, at), bound + " ");
        }
      }
    }
  }
  for (const auto& [opaque, revelations] : unit->VisibleRevelations()) {
    for (size_t i = 1; i < revelations.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const Revelation *a = revelations[i], *b = revelations[j];
        if (a->type == nullptr || b->type == nullptr || IsError(a->type) || IsError(b->type))
          continue;
        if (!a->decl->is_partial && !b->decl->is_partial)
          continue;  // CompleteOpaqueTypes reports it
        if (Subtype(a->type, b->type) || Subtype(b->type, a->type)) continue;
        // If both revelations are imported, the error is reported for the unit that imports both.
        const Revelation* own = a->unit == unit ? a : b;
        const Revelation* other = own == a ? b : a;
        Error(MessageId::kRevelationsNotOrdered,
              own->unit == unit ? own->decl->name.span : unit->name_span, opaque->name,
              TypeToString(own->type), TypeToString(other->type))
            .Note(MessageId::kRevealedHere, other->decl->name.span, opaque->name);
      }
    }
  }
}

void Checker::CompleteOpaqueTypes(bool all_units) {
  for (auto& [opaque, revelations] : all_revelations) {
    auto* type = const_cast<OpaqueType*>(opaque);
    type->concrete = revelations[0]->type;
    for (size_t i = 1; i < revelations.size(); ++i) {
      Error(MessageId::kRevealedTwice, revelations[i]->decl->name.span, opaque->name)
          .Note(MessageId::kRevealedHere, revelations[0]->decl->name.span, opaque->name);
    }
  }
  for (auto& [opaque, revelations] : all_revelations) {
    const Type* type = opaque;
    int steps = 0;
    while (type != nullptr && steps < 10000) {
      const Type* concrete = Concrete(type);
      const auto* object = As<ObjectType>(concrete);
      type = object == nullptr ? nullptr : object->super;
      if (concrete->kind == TypeKind::kOpaque) type = nullptr;
      ++steps;
    }
    if (steps == 10000)
      Error(MessageId::kIllegalRecursion, revelations[0]->decl->name.span, opaque->name);
  }
  if (all_units) {
    // A unit can use a subtype without naming the type.
    std::set<const OpaqueType*> extended;
    for (Type* type : types().all()) {
      const auto* object = As<ObjectType>(type);
      if (object != nullptr) extended.insert(As<OpaqueType>(object->super));
    }
    for (const auto& [opaque, symbol] : opaque_symbols_) {
      if (opaque->concrete == nullptr && !redeclared_.contains(symbol) &&
          (symbol->unit->warns || symbol->used_elsewhere || extended.contains(opaque))) {
        Error(MessageId::kNeverRevealed, symbol->span, opaque->name)
            .Hint("a module reveals it: REVEAL " + symbol->name.str() + " = BRANDED ...");
      }
    }
    for (OpaqueType* predeclared : {types().text, types().mutex}) {
      Scope::Entry* entry = universe_.FindHere(interner_.Intern(predeclared->name));
      if (predeclared->concrete == nullptr && entry->symbol->first_use.valid()) {
        Error(MessageId::kNeverRevealed, entry->symbol->first_use, predeclared->name);
      }
    }
  }
  if (diagnostics_.error_count() > 0) return;
  // Every partial revelation that a unit saw must hold for the opaque type's concrete type (9.9).
  const WholeProgram whole;
  auto check_supertype = [&](const OpaqueType* opaque, Type* super, SourceSpan span) {
    if (opaque == nullptr || opaque->concrete == nullptr || super == nullptr || IsError(super))
      return;
    if (!IsSubtypeOf(whole, opaque->concrete, super)) {
      Error(MessageId::kRevelationUntrue, span, TypeToString(super), opaque->name);
    }
  };
  for (const Revelation& revelation : revelations_) {
    if (revelation.target == nullptr || revelation.type == nullptr) continue;
    check_supertype(As<OpaqueType>(revelation.target->type), revelation.type,
                    revelation.decl->type->span);
  }
  for (const auto& [opaque, symbol] : opaque_symbols_)
    check_supertype(opaque, opaque->bound, symbol->span);
}

bool Checker::Clash(const BrandUse& a, const BrandUse& b) const {
  // Each BRANDED of a unit makes a type of its own, also where the structures are equal.
  if (a.unit == b.unit && a.span.begin == b.span.begin && SameType(a.type, b.type)) return false;
  // Packages do not know each other's private instances of a generic or copies of a unit. All these
  // have the brand that the source gives.
  const bool copies = a.unit->name == b.unit->name || a.span.file == b.span.file;
  return !copies || source_.PackageOf(a.unit->file) == source_.PackageOf(b.unit->file);
}

void Checker::CheckBrands() {
  if (diagnostics_.error_count() > 0) return;
  for (const auto& [brand, uses] : brands_) {
    for (size_t i = 1; i < uses.size(); ++i) {
      const auto first = std::find_if(uses.begin(), uses.begin() + static_cast<ptrdiff_t>(i),
                                      [&](const BrandUse& use) { return Clash(use, uses[i]); });
      if (first == uses.begin() + static_cast<ptrdiff_t>(i)) continue;
      Error(MessageId::kBrandTwice, uses[i].span, brand)
          .Note(MessageId::kBrandedHere, first->span, brand);
    }
  }
}

// --- queries ---

Type* Checker::SeeThrough(Type* type) const {
  for (int i = 0; i < 1000; ++i) {
    type = StripPacked(type);
    auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr) return type;
    Type* revealed = unit_->Revealed(opaque);
    if (revealed == nullptr) return type;
    type = revealed;
  }
  return type;
}

ObjectType* Checker::KnownObject(Type* type) const {
  type = StripPacked(type);
  for (int i = 0; i < 1000 && type != nullptr; ++i) {
    if (auto* object = As<ObjectType>(type)) return object;
    auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr) return nullptr;
    type = unit_->KnownSuper(opaque);
  }
  return nullptr;
}

}  // namespace tenure::compiler
