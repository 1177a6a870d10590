#include "store/format/declared_types.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "store/format/nested_arrays.h"
#include "store/format/slot_types.h"
#include "store/format/type_description.h"

namespace tenure::store {

namespace {

// "KEY FINGERPRINT NAME" or "KEY-brand BRAND".
void TakeTypeName(const std::string& line, const std::string& key, std::vector<TypeName>* names) {
  if (line.starts_with(key + "-brand ") && !names->empty()) {
    names->back().brand = line.substr(key.size() + 7);
  } else if (line.starts_with(key + " ")) {
    const std::string rest = line.substr(key.size() + 1);
    const size_t gap = std::min(rest.find(' '), rest.size());
    names->push_back({rest.substr(0, gap), rest.substr(std::min(gap + 1, rest.size())), ""});
  }
}

// Reads the names, the kind and the fields from a line of a description.
void TakeNames(const std::string& line, DeclaredType* type, bool* has_supertype) {
  const auto after = [&](const char* key, std::string* value) {
    if (line.starts_with(key)) *value = line.substr(std::strlen(key));
  };
  after("fingerprint ", &type->own.fingerprint);
  after("name ", &type->own.name);
  after("brand ", &type->own.brand);
  if (line.starts_with("supertype ")) *has_supertype = line != "supertype ROOT";
  if (line == "kind object") type->object = true;
  TakeTypeName(line, "below", &type->supertypes);
  if (!type->fields.empty()) TakeTypeName(line, "refers", &type->fields.back().refers);
  unsigned long long offset, bits;
  int length = 0;
  if (std::sscanf(line.c_str(), "field %llu %llu %n", &offset, &bits, &length) != 2) return;
  const size_t gap = line.find(' ', static_cast<size_t>(length));
  std::string text = gap == std::string::npos ? "" : line.substr(gap + 1);
  if (const size_t value = text.find(" = "); value != std::string::npos) text.erase(0, value + 3);
  type->fields.push_back({offset, bits, std::move(text), {}});
}

}  // namespace

bool ParseType(const std::string& description, DeclaredType* type) {
  bool ended = false, has_payload = false, has_supertype = false;
  for (size_t at = 0; at < description.size();) {
    const size_t end = std::min(description.find('\n', at), description.size());
    const std::string line = description.substr(at, end - at);
    at = end + 1;
    TakeNames(line, type, &has_supertype);
    unsigned long long a, b, c, d;
    if (line.starts_with("procedure ")) {
      type->procedure = true;
      return true;
    } else if (std::sscanf(line.c_str(), "payload %llu", &a) == 1) {
      type->payload = a;
      has_payload = true;
    } else if (std::sscanf(line.c_str(), "open %llu %llu", &a, &b) == 2) {
      type->open = true;
      type->dimensions = a;
      type->element = b;
    } else if (std::sscanf(line.c_str(), "slots %llu %llu %llu %llu", &a, &b, &c, &d) == 4) {
      type->slots.push_back({a, b, c, static_cast<unsigned>(d)});
    } else if (std::sscanf(line.c_str(), "element-slots %llu %llu %llu %llu", &a, &b, &c, &d) ==
               4) {
      type->element_slots.push_back({a, b, c, static_cast<unsigned>(d)});
    } else if (line == "end") {
      ended = true;
    }
  }
  if (!ended || !has_payload || !FingerprintIn(description)) return false;
  constexpr uint64_t kMost = uint64_t{1} << 32;
  if (type->payload > kMost || type->dimensions > 64 || type->element > kMost) return false;
  if (type->open && type->dimensions == 0) return false;
  const auto inside = [](const std::vector<DeclaredSlots>& runs, uint64_t bytes) {
    return std::all_of(runs.begin(), runs.end(), [&](const DeclaredSlots& run) {
      if (run.kind > kCode || run.offset % 8 != 0 || run.count == 0) return false;
      if (run.count > 1 && (run.stride < 8 || run.stride % 8 != 0)) return false;
      return run.offset <= bytes && bytes - run.offset >= 8 &&
             (run.count == 1 || run.count - 1 <= (bytes - run.offset - 8) / run.stride);
    });
  };
  if (!inside(type->slots, type->payload) || !inside(type->element_slots, type->element)) {
    return false;
  }
  if (!type->element_slots.empty() && (type->element % 8 != 0 || type->elements_at() % 8 != 0)) {
    return false;
  }
  type->supertypes_known = !has_supertype || !type->supertypes.empty();
  type->usable = true;
  return true;
}

bool Declarations::MayReferTo(uint64_t type, bool element, uint64_t offset,
                              const DeclaredType& target) {
  const auto [known, fresh] = slots_.try_emplace({type, element});
  if (fresh) known->second = SlotsOf(types_[type], element);
  const auto slot = known->second.find(offset);
  if (slot == known->second.end() || slot->second.empty()) return true;
  return std::any_of(slot->second.begin(), slot->second.end(),
                     [&](const TypeName* declared) { return Accepts(*declared, target); });
}

const TypeName* Declarations::DeclaredAt(uint64_t type, bool element, uint64_t offset) {
  const auto& names = slots_[{type, element}][offset];
  return names.size() == 1 ? names.front() : nullptr;
}

std::unordered_map<uint64_t, Declarations::Names> Declarations::SlotsOf(const DeclaredType& type,
                                                                        bool element) {
  constexpr size_t kMostSlots = 1 << 20;
  std::vector<uint64_t> offsets;
  for (const DeclaredSlots& run : element ? type.element_slots : type.slots) {
    if (run.kind != kTraced) continue;
    for (uint64_t i = 0; i < run.count && offsets.size() < kMostSlots; ++i) {
      offsets.push_back(run.offset + i * run.stride);
    }
  }
  std::sort(offsets.begin(), offsets.end());
  std::unordered_map<uint64_t, Names> slots;
  for (const DeclaredField& field : type.fields) {
    std::vector<uint64_t> inside;
    for (const uint64_t offset : offsets) {
      if (8 * offset >= field.bit_offset && 8 * offset - field.bit_offset < field.bits) {
        inside.push_back(offset);
      }
    }
    const size_t referents = field.refers.size();
    auto of = ReferentsOfSlots(field.type, inside.size(), referents);
    if (!of && referents > 0 && !inside.empty()) {
      std::vector<std::string_view> names;
      for (const TypeName& name : field.refers) names.emplace_back(name.name);
      of = ReferentsInArrays(field.type, inside.size(), names);
    }
    for (size_t i = 0; i < inside.size(); ++i) {
      Names& names = slots[inside[i]];
      for (size_t k = 0; k < referents; ++k) {
        if (!of || (*of)[i] == k) names.push_back(&field.refers[k]);
      }
    }
  }
  return slots;
}

bool Declarations::Accepts(const TypeName& declared, const DeclaredType& target) {
  if (declared.name == "REFANY") return true;
  if (declared.name == "ROOT") return target.object;
  const auto [known, fresh] = accepts_.try_emplace({&declared, &target}, false);
  if (fresh) {
    known->second = target.own.IsSame(declared) || !target.supertypes_known ||
                    std::any_of(target.supertypes.begin(), target.supertypes.end(),
                                [&](const TypeName& above) { return above.IsSame(declared); });
  }
  return known->second;
}

}  // namespace tenure::store
