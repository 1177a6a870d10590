#include "stabilize/state/type_catalog.h"

#include <optional>

#include "stabilize/frames/store_names.h"
#include "store/format/declared_types.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"
#include "store/format/unfinished_import.h"

namespace tenure::stabilize {

using abi::TypeDescriptor;

namespace {

std::vector<TypeKey> KeysOf(ProgramTypes types) {
  std::vector<TypeKey> keys;
  keys.reserve(types.size());
  for (const TypeDescriptor* type : types) {
    keys.push_back(type == nullptr ? TypeKey() : KeyOf(*type));
  }
  return keys;
}

// Descriptors of unknown types. An object's header has 32 bits for a descriptor's address, so they
// are part of the program, as all descriptors. With the session's lock.
constexpr size_t kUnknownTypes = 4096;
alignas(abi::kDescriptorAlignment) TypeDescriptor unknown_types[kUnknownTypes];
size_t unknown_used = 0;                                // of unknown_types, from the beginning
size_t unknown_freed[kUnknownTypes], unknown_free = 0;  // those of them that are free again

TypeDescriptor* TakeUnknown() {
  if (unknown_free > 0) return &unknown_types[unknown_freed[--unknown_free]];
  return unknown_used == kUnknownTypes ? nullptr : &unknown_types[unknown_used++];
}

}  // namespace

void TypeCatalog::FreeUnknown::operator()(TypeDescriptor* type) const {
  *type = {};
  unknown_freed[unknown_free++] = static_cast<size_t>(type - unknown_types);
}

TypeCatalog::TypeCatalog(ProgramTypes types) : types_(types), keys_(KeysOf(types)) {}

Status TypeCatalog::Load(PageServer& server) {
  entries_.clear();
  return Refresh(server, 0);
}

Status TypeCatalog::Reload(PageServer& server) {
  TN_ASSIGN_OR_RETURN(std::vector<TypeEntry> table, server.TypeEntries());
  size_t same = 0;
  while (same < entries_.size() && same < table.size() &&
         entries_[same].description == table[same].description) {
    ++same;
  }
  entries_.resize(same);
  std::erase_if(index_of_, [&](const auto& entry) { return entry.second > same; });
  for (size_t i = 0; i < same; ++i) {
    for (const TypeDescriptor* const type : {entries_[i].type, entries_[i].unknown}) {
      if (type != nullptr) index_of_.insert({type, static_cast<uint32_t>(i + 1)});
    }
  }
  recent_ = {};
  return Refresh(server, 0);
}

Status TypeCatalog::Refresh(PageServer& server, uint32_t index) {
  if (index != 0 && index <= entries_.size()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(std::vector<TypeEntry> table, server.TypeEntries());
  for (size_t i = entries_.size(); i < table.size(); ++i) {
    if (table[i].index != i + 1) {
      return Status(StatusCode::kCorrupt, "the store's type table has gaps", table[i].index);
    }
    entries_.push_back({std::move(table[i].description), nullptr, false, nullptr});
  }
  if (index > entries_.size())
    return Status(StatusCode::kCorrupt, "the store's type table lacks an entry", index);
  return Status::Ok();
}

Status TypeCatalog::Match(Entry& entry) {
  entry.matched = true;
  const std::optional<uint64_t> fingerprint = FingerprintIn(entry.description);
  if (!fingerprint) {
    return Failure(StatusCode::kCorrupt,
                   "entry " + std::to_string(&entry - entries_.data() + 1) +
                       " of the store's type table is unreadable: it has no fingerprint");
  }
  const std::string name = ValueInDescription(entry.description, "name"),
                    brand = ValueInDescription(entry.description, "brand");
  const size_t found = keys_.Find({*fingerprint, name, brand});
  if (found == TypeKeys::kNone && name == kUnfinishedImportType) {
    return Status(StatusCode::kTypeMismatch, kUnfinishedImportText);
  }
  if (found == TypeKeys::kNone) {
    return Failure(StatusCode::kTypeMismatch,
                   "the program has no type like the stored " + name +
                       (brand.empty() ? "" : ", none with the brand \"" + brand + "\""));
  }
  const TypeDescriptor* const type = types_[found];
  const std::string difference = TypeDifference(entry.description, DescribeType(*type), keys_);
  if (difference.empty()) {
    entry.type = type;
    return Status::Ok();
  }
  return Failure(StatusCode::kTypeMismatch,
                 "type " + name + " is not the same in the program (" + difference +
                     "); 'tenure db upgrade' says what can be converted");
}

Result<const TypeDescriptor*> TypeCatalog::TypeOf(uint32_t index) {
  if (index == 0 || index > entries_.size()) {
    return Failure(StatusCode::kCorrupt, "an object has type number " + std::to_string(index) +
                                             ", which the store's type table does not have");
  }
  Entry& entry = entries_[index - 1];
  if (entry.type == nullptr) {
    // Matched again after a mismatch, for the message; that is rare.
    TN_RETURN_IF_ERROR(Match(entry));
    index_of_.insert({entry.type, index});
  }
  return entry.type;
}

const TypeDescriptor* TypeCatalog::MakeUnknown(uint32_t index) {
  Entry& entry = entries_[index - 1];
  DeclaredType stored;
  if (!ParseType(entry.description, &stored)) return nullptr;
  TypeDescriptor* const made = TakeUnknown();
  if (made == nullptr) return nullptr;
  unknown_.emplace_back(made);
  // REFANY's typecode, which no type is a subtype of.
  made->typecode = made->last_subtype = 1;
  made->flags = kTypeUnknown | abi::kTypePure | (stored.open ? abi::kTypeOpenArray : 0u);
  made->payload_bytes = static_cast<uint32_t>(stored.payload);
  made->open_dimensions = static_cast<uint32_t>(stored.dimensions);
  made->element_bytes = static_cast<uint32_t>(stored.element);
  made->alignment = 8;
  made->name = "a type that the program does not have";
  index_of_.insert({made, index});
  entry.unknown = made;
  return made;
}

Result<uint32_t> TypeCatalog::IndexOf(PageServer& server, const TypeDescriptor& type) {
  // Naming asks for every object.
  const auto& [recent, known] = recent_[reinterpret_cast<uintptr_t>(&type) / 32 % recent_.size()];
  if (recent == &type) return known;
  if (const auto it = index_of_.find(&type); it != index_of_.end()) return KnownIndexOf(type);
  const std::string description = DescribeType(type);
  TN_ASSIGN_OR_RETURN(const uint32_t index, server.AddType(std::as_bytes(std::span(description))));
  TN_RETURN_IF_ERROR(Refresh(server, index));
  entries_[index - 1].type = &type;
  entries_[index - 1].matched = true;
  index_of_.insert({&type, index});
  return index;
}

const SlotTypes& TypeCatalog::SlotTypesOf(const TypeDescriptor& type) {
  std::unique_ptr<const SlotTypes>& types = slot_types_[&type];
  if (types == nullptr) types = std::make_unique<const SlotTypes>(type);
  return *types;
}

std::string TypeCatalog::ProcedureName(PageServer& server, uint32_t index) {
  // Entries of procedures are made past the catalog (Database::ProcedureToStored), so it may not
  // have seen them.
  if (index == 0 || !Refresh(server, index).ok()) return "";
  return ValueInDescription(entries_[index - 1].description, "procedure");
}

}  // namespace tenure::stabilize
