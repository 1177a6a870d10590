#include "compiler/check/scope.h"

namespace tenure::compiler {

namespace {

constexpr std::string_view kBuiltinSpellings[] = {
    "ABS",      "ADR",      "ADRSIZE", "BITSIZE",  "BYTESIZE", "CEILING", "DEC",
    "DISPOSE",  "FIRST",    "FLOAT",   "FLOOR",    "INC",      "ISTYPE",  "LAST",
    "LOOPHOLE", "MAX",      "MIN",     "NARROW",   "NEW",      "NUMBER",  "ORD",
    "ROUND",    "SUBARRAY", "TRUNC",   "TYPECODE", "VAL",
};

}  // namespace

std::string_view BuiltinSpelling(BuiltinName name) {
  return kBuiltinSpellings[static_cast<size_t>(name)];
}

Scope::Entry* Scope::FindHere(Name name) {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.get();
}

Scope::Entry* Scope::Find(Name name) {
  for (Scope* scope = this; scope != nullptr; scope = scope->parent) {
    if (Entry* entry = scope->FindHere(name)) return entry;
  }
  return nullptr;
}

bool Scope::Insert(Name name, const Entry& entry) {
  auto [place, inserted] = entries_.emplace(name, nullptr);
  if (!inserted) return false;
  place->second = std::make_unique<Entry>(entry);
  order_.push_back({name, place->second.get()});
  return true;
}

void DeclareUniverse(Program& program, Interner& interner, Scope& universe) {
  TypeTable& types = program.types;
  auto declare = [&](std::string_view spelling, SymbolKind kind) {
    Symbol* symbol = program.Make<Symbol>();
    symbol->kind = kind;
    symbol->name = interner.Intern(spelling);
    symbol->scope = &universe;
    symbol->state = ResolveState::kDone;
    universe.Insert(symbol->name, {symbol, {}, Scope::Origin::kDeclared, true, true});
    return symbol;
  };
  auto declare_type = [&](std::string_view spelling, Type* type) {
    declare(spelling, SymbolKind::kType)->type = type;
  };
  declare_type("INTEGER", types.integer);
  declare_type("LONGINT", types.longint);
  declare_type("CARDINAL", types.cardinal);
  declare_type("LONGCARD", types.longcard);
  declare_type("BOOLEAN", types.boolean);
  declare_type("CHAR", types.character);
  declare_type("WIDECHAR", types.widechar);
  declare_type("REAL", types.real);
  declare_type("LONGREAL", types.longreal);
  declare_type("EXTENDED", types.extended);
  declare_type("REFANY", types.refany);
  declare_type("ADDRESS", types.address);
  declare_type("NULL", types.null);
  declare_type("TEXT", types.text);
  declare_type("MUTEX", types.mutex);

  auto declare_constant = [&](std::string_view spelling, Type* type, Constant::Kind kind,
                              int64_t ordinal) {
    Constant* value = program.Make<Constant>();
    value->kind = kind;
    value->ordinal = ordinal;
    Symbol* symbol = declare(spelling, SymbolKind::kConstant);
    symbol->type = type;
    symbol->constant = value;
  };
  declare_constant("FALSE", types.boolean, Constant::Kind::kOrdinal, 0);
  declare_constant("TRUE", types.boolean, Constant::Kind::kOrdinal, 1);
  declare_constant("NIL", types.null, Constant::Kind::kNil, 0);

  for (size_t i = 0; i < std::size(kBuiltinSpellings); ++i) {
    declare(kBuiltinSpellings[i], SymbolKind::kBuiltin)->builtin = static_cast<BuiltinName>(i);
  }
}

}  // namespace tenure::compiler
