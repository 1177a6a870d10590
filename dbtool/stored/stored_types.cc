#include "dbtool/stored/stored_types.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "abi/object_header.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"

namespace tenure::dbtool {

namespace {

constexpr uint64_t kMost = uint64_t{1} << 32;

bool RunsFit(const std::vector<SlotRun>& runs, uint64_t bytes) {
  return std::all_of(runs.begin(), runs.end(), [&](const SlotRun& run) {
    if (run.offset > bytes || bytes - run.offset < 8 || run.count == 0) return false;
    if (run.offset % 8 != 0 || run.stride % 8 != 0) return false;
    return run.count == 1 ||
           (run.stride >= 8 && run.count - 1 <= (bytes - run.offset - 8) / run.stride);
  });
}

bool FieldsFit(const StoredType& type) {
  // An element's, or those of the part before the elements.
  const uint64_t bits = 8 * std::max(type.payload_bytes, type.element_bytes);
  return std::ranges::all_of(type.fields, [&](const StoredField& field) {
    return field.bit_offset <= bits && field.bit_size <= bits - field.bit_offset;
  });
}

// "KEY FINGERPRINT NAME" or "KEY-brand BRAND".
void TakeTypeName(const std::string& key, const std::string& value, const std::string& wanted,
                  std::vector<store::TypeName>* names) {
  if (key == wanted + "-brand" && !names->empty()) names->back().brand = value;
  if (key != wanted) return;
  const size_t gap = std::min(value.find(' '), value.size());
  names->push_back({value.substr(0, gap), value.substr(std::min(gap + 1, value.size())), ""});
}

}  // namespace

bool StoredType::IsA(const store::TypeName& declared) const {
  if (declared.name == "REFANY") return true;
  if (declared.name == "ROOT") return kind == "object";
  if (store::TypeName{fingerprint, name, brand}.IsSame(declared)) return true;
  return std::ranges::any_of(supertypes,
                             [&](const store::TypeName& above) { return above.IsSame(declared); });
}

bool StoredType::pure() const {
  const auto traced = [](const SlotRun& run) {
    return run.kind == StoredSlot::kReference || run.kind == StoredSlot::kTransient;
  };
  return std::none_of(slots.begin(), slots.end(), traced) &&
         std::none_of(element_slots.begin(), element_slots.end(), traced);
}

const StoredField* FieldNamed(const StoredType& type, const std::string& name) {
  const auto found = std::ranges::find(type.fields, name, &StoredField::name);
  return found == type.fields.end() ? nullptr : &*found;
}

std::optional<StoredType> ParseType(uint32_t index, const std::string& description) {
  StoredType type;
  type.index = index;
  type.description = description;
  bool ended = false;
  for (size_t at = 0; at < description.size();) {
    const size_t end = std::min(description.find('\n', at), description.size());
    const std::string line = description.substr(at, end - at);
    at = end + 1;
    const size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    unsigned long long a = 0, b = 0, c = 0, d = 0;
    int used = 0;
    if (key == "procedure") {
      type.procedure = value;
      return type;
    }
    if (key == "fingerprint") type.fingerprint = value;
    if (key == "name") type.name = value;
    TakeTypeName(key, value, "below", &type.supertypes);
    if (!type.fields.empty()) TakeTypeName(key, value, "refers", &type.fields.back().refers);
    if (key == "brand") type.brand = value;
    if (key == "supertype") type.supertype = value;
    if (key == "kind") type.kind = value;
    if (key == "end") ended = true;
    if (key == "payload" && std::sscanf(value.c_str(), "%llu", &a) == 1) type.payload_bytes = a;
    if (key == "open" && std::sscanf(value.c_str(), "%llu %llu", &a, &b) == 2) {
      type.open_dimensions = a;
      type.element_bytes = b;
    }
    if (key == "slots" || key == "element-slots") {
      if (std::sscanf(value.c_str(), "%llu %llu %llu %llu", &a, &b, &c, &d) != 4 || d > 3) {
        return std::nullopt;
      }
      (key == "slots" ? type.slots : type.element_slots)
          .push_back({a, b, c, static_cast<StoredSlot>(d)});
    }
    if (key == "field" && std::sscanf(value.c_str(), "%llu %llu%n", &a, &b, &used) == 2) {
      // One blank each: the name may be empty.
      const std::string rest = value.substr(std::min(static_cast<size_t>(used) + 1, value.size()));
      const size_t gap = rest.find(' ');
      StoredField field{a, b, rest.substr(0, gap), "", "", {}};
      if (gap != std::string::npos) field.type = rest.substr(gap + 1);
      if (const size_t stands = field.type.find(" = "); stands != std::string::npos) {
        field.value = field.type.substr(stands + 3);
        field.type.resize(stands);
      }
      type.fields.push_back(std::move(field));
    }
  }
  if (!ended || !store::FingerprintIn(description) || type.payload_bytes > kMost ||
      type.element_bytes > kMost || type.open_dimensions > 64 ||
      !RunsFit(type.slots, type.payload_bytes) ||
      !RunsFit(type.element_slots, type.element_bytes) || !FieldsFit(type)) {
    return std::nullopt;
  }
  return type;
}

Result<StoredTypes> StoredTypes::Read(store::PageServer& server) {
  TN_ASSIGN_OR_RETURN(std::vector<store::TypeEntry> entries, server.TypeEntries());
  StoredTypes types;
  for (const store::TypeEntry& entry : entries) {
    std::optional<StoredType> type = ParseType(entry.index, entry.description);
    if (!type || entry.index != types.types_.size() + 1) {
      return store::Failure(StatusCode::kCorrupt, "entry " + std::to_string(entry.index) +
                                                      " of the type table is unreadable");
    }
    types.types_.push_back(*std::move(type));
  }
  return types;
}

const StoredType* StoredTypes::At(uint64_t index) const {
  if (index == 0 || index > types_.size() || !types_[index - 1].procedure.empty()) return nullptr;
  return &types_[index - 1];
}

std::optional<uint64_t> PayloadBytes(const StoredType& type, std::span<const std::byte> payload) {
  uint64_t bytes = type.payload_bytes;
  if (type.open()) {
    if (type.elements_at() > payload.size()) return std::nullopt;
    unsigned __int128 elements = 1;
    for (uint64_t i = 0; i < type.open_dimensions; ++i) {
      uint64_t length;
      std::memcpy(&length, payload.data() + type.payload_bytes + 8 * i, sizeof length);
      elements *= length;
      if (elements > (static_cast<unsigned __int128>(1) << 60)) return std::nullopt;
    }
    const unsigned __int128 total = elements * type.element_bytes + type.elements_at();
    if (total > (uint64_t{1} << 60)) return std::nullopt;
    bytes = static_cast<uint64_t>(total);
  }
  return abi::PayloadRoom(bytes);
}

std::string NameOfSlot(const StoredType& type, uint64_t offset) {
  if (type.open() && offset >= type.elements_at() && type.element_bytes > 0) {
    const uint64_t in_elements = offset - type.elements_at();
    const uint64_t rest = in_elements % type.element_bytes;
    return "[" + std::to_string(in_elements / type.element_bytes) + "]" +
           (rest == 0 ? "" : "+" + std::to_string(rest));
  }
  for (const StoredField& field : type.fields) {
    const uint64_t begin = field.bit_offset / 8;
    if (offset < begin || offset >= begin + std::max<uint64_t>(field.bit_size / 8, 1)) continue;
    return (field.name.empty() ? "^" : field.name) +
           (offset == begin ? "" : "+" + std::to_string(offset - begin));
  }
  return "+" + std::to_string(offset);
}

}  // namespace tenure::dbtool
