#include "compiler/lower/program_layout.h"

#include "abi/fingerprint.h"
#include "base/hex.h"
#include "compiler/types/describe.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

namespace {

// A type that has a descriptor, once per fingerprint, in the order in which the program made them.
struct Entry {
  const Type* type;
  uint64_t fingerprint;
  std::string name;
  std::vector<size_t> subtypes;
  bool is_root = true;
};

bool IsTransient(const Type* type) {
  if (const auto* ref = As<RefType>(type)) return ref->transient;
  if (const auto* object = As<ObjectType>(type)) return object->transient;
  return false;
}

bool HasDescriptor(const Type* type) {
  if (const auto* ref = As<RefType>(type)) return ref->traced;
  return type->kind == TypeKind::kObject;
}

}  // namespace

ProgramLayout::ProgramLayout(const Program& program)
    : fingerprints_(program.types), imported_bodies_(program) {
  std::vector<Entry> entries;
  std::unordered_map<uint64_t, size_t> index_of;
  auto add = [&](const Type* type, const std::string& name) {
    const uint64_t fingerprint = fingerprints_.Of(type);
    const auto [it, fresh] = index_of.insert({fingerprint, entries.size()});
    if (fresh) entries.push_back({type, fingerprint, name, {}, true});
    if (entries[it->second].name.empty()) entries[it->second].name = name;
    return it->second;
  };
  add(program.types.root, "ROOT");
  for (const Type* type : program.types.all()) {
    if (HasDescriptor(type)) {
      add(type, type->name);
    } else if (type->kind == TypeKind::kOpaque) {
      // Users know the opaque type's name.
      const Type* concrete = Concrete(type);
      if (concrete->kind != TypeKind::kOpaque && HasDescriptor(concrete)) add(concrete, type->name);
    }
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto* object = As<ObjectType>(entries[i].type);
    if (object == nullptr || SuperOf(object) == nullptr) continue;
    entries[i].is_root = false;
    const size_t super = add(SuperOf(object), "");
    entries[super].subtypes.push_back(i);
  }

  auto number = [&](auto& self, size_t entry, int supertype) -> void {
    const int code = static_cast<int>(descriptors_.size());
    const Entry& e = entries[entry];
    descriptors_.push_back(
        {e.type, e.fingerprint, 0, supertype, e.name.empty() ? TypeToString(e.type) : e.name});
    for (const size_t subtype : e.subtypes) self(self, subtype, code);
    descriptors_[code].last_subtype = static_cast<uint32_t>(descriptors_.size() - 1);
  };
  auto number_all = [&](bool traced, bool transient) {
    for (const bool objects : {false, true}) {
      for (size_t i = 0; i < entries.size(); ++i) {
        const auto* object = As<ObjectType>(entries[i].type);
        if ((object != nullptr) != objects || !entries[i].is_root) continue;
        if ((object == nullptr || object->traced) != traced ||
            IsTransient(entries[i].type) != transient)
          continue;
        number(number, i, -1);
      }
    }
  };
  const uint64_t null_fingerprint = fingerprints_.Of(program.types.null);
  const uint64_t refany_fingerprint = fingerprints_.Of(program.types.refany);
  const uint64_t transient_fingerprint = fingerprints_.Of(program.types.transient_refany);
  descriptors_.push_back({program.types.null, null_fingerprint, 0, -1, "NULL"});
  descriptors_.push_back({program.types.refany, refany_fingerprint, 0, -1, "REFANY"});
  number_all(true, false);
  if (transient_fingerprint != refany_fingerprint) {
    const size_t code = descriptors_.size();
    descriptors_.push_back(
        {program.types.transient_refany, transient_fingerprint, 0, -1, "<*TRANSIENT*> REFANY"});
    number_all(true, true);
    descriptors_[code].last_subtype = static_cast<uint32_t>(descriptors_.size() - 1);
  } else {
    number_all(true, true);
  }
  descriptors_[abi::kTypecodeNull + 1].last_subtype =
      static_cast<uint32_t>(descriptors_.size() - 1);
  number_all(false, false);
  number_all(false, true);
}

std::string ProgramLayout::SymbolOf(uint64_t fingerprint) {
  return "tn_type." + HexOf(fingerprint);
}

uint32_t ProgramLayout::ShapeOf(const ProcedureType* type) const {
  abi::FingerprintHasher hash;
  const Signature& signature = type->signature;
  hash.Add(uint64_t{signature.formals.size()});
  for (const Formal& formal : signature.formals) {
    hash.Add(static_cast<uint64_t>(formal.mode));
    hash.Add(FingerprintOf(formal.type));
  }
  hash.Add(uint64_t{signature.result != nullptr});
  if (signature.result != nullptr) hash.Add(FingerprintOf(signature.result));
  const auto shape = static_cast<uint32_t>(hash.Finish());
  return shape == 0 ? 1 : shape;
}

}  // namespace tenure::compiler
