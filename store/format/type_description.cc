#include "store/format/type_description.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <span>
#include <utility>

#include "base/hex.h"

namespace tenure::store {

namespace {

using abi::TypeDescriptor;

// In a field's line: separates the type's text from the meanings of the names in it.
constexpr std::string_view kStandsFor = " = ";

// The keys of lines that name other types: the supertypes, the nearest first; and the types to
// which the references in the field of the line before may refer.
constexpr char kBelow[] = "below", kRefers[] = "refers";

void AddRuns(std::string& out, const char* key, const abi::SlotRun* runs, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    out += std::string(key) + " " + std::to_string(runs[i].offset) + " " +
           std::to_string(runs[i].count) + " " + std::to_string(runs[i].stride) + " " +
           std::to_string(static_cast<uint32_t>(runs[i].kind)) + "\n";
  }
}

// Calls visit(key, rest) for each line.
template <typename Visit>
void ForEachLine(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t space = line.find(' ');
    visit(line.substr(0, space),
          space == std::string_view::npos ? std::string_view() : line.substr(space + 1));
  }
}

constexpr std::string_view kBrandSuffix = "-brand";

// A brand may have any characters; those that would end the line are replaced.
std::string InOneLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

// "KEY FINGERPRINT NAME", and a line with the brand.
void AddKey(std::string& out, const char* key, const TypeDescriptor& type) {
  out += std::string(key) + " " + HexOf(type.fingerprint) + " " + type.name + "\n";
  if (type.brand != nullptr) {
    out += key + std::string(kBrandSuffix) + " " + InOneLine(type.brand) + "\n";
  }
}

// The lines that tell the collector and the codec the meaning of an object's bytes.
std::vector<std::string> LayoutLines(std::string_view description) {
  std::vector<std::string> lines;
  ForEachLine(description, [&](std::string_view key, std::string_view value) {
    if (key == "fingerprint" || key == "name" || key == "brand" || key == "supertype" ||
        key == "field" || key == "end" || key.starts_with(kBelow) || key.starts_with(kRefers))
      return;
    lines.push_back(std::string(key) + " " + std::string(value));
  });
  return lines;
}

}  // namespace

std::string DescribeType(const TypeDescriptor& type) {
  std::string out;
  out += "fingerprint " + HexOf(type.fingerprint) + "\n";
  out += std::string("name ") + type.name + "\n";
  if (type.brand != nullptr) out += "brand " + InOneLine(type.brand) + "\n";
  if (type.supertype != nullptr) out += std::string("supertype ") + type.supertype->name + "\n";
  for (const TypeDescriptor* above = type.supertype;
       above != nullptr && above->supertype != nullptr; above = above->supertype) {
    AddKey(out, kBelow, *above);
  }
  out += std::string("kind ") + ((type.flags & abi::kTypeObject) != 0 ? "object" : "ref") + "\n";
  out += "payload " + std::to_string(type.payload_bytes) + "\n";
  if ((type.flags & abi::kTypeOpenArray) != 0) {
    out += "open " + std::to_string(type.open_dimensions) + " " +
           std::to_string(type.element_bytes) + "\n";
  }
  AddRuns(out, "slots", type.slot_runs, type.slot_run_count);
  AddRuns(out, "element-slots", type.element_runs, type.element_run_count);
  for (uint32_t i = 0; i < type.field_count; ++i) {
    const abi::FieldDescriptor& field = type.fields[i];
    out += std::string("field ") + std::to_string(field.bit_offset) + " " +
           std::to_string(field.bit_size) + " " + field.name + " " + field.type_name;
    if (field.value_type != nullptr) out += std::string(kStandsFor) + field.value_type;
    out += "\n";
    for (uint32_t k = 0; k < field.referent_count; ++k) AddKey(out, kRefers, *field.referents[k]);
  }
  out += "end\n";
  return out;
}

bool SameValue(std::string_view a, std::string_view b) {
  constexpr std::string_view kBases[] = {"WIDECHAR [", "CHAR ["};
  const auto skip_base = [&](std::string_view text) {
    for (const std::string_view base : kBases) {
      if (text.starts_with(base)) return text.substr(base.size() - 1);
    }
    return text;
  };
  while (!a.empty() && !b.empty()) {
    if (a[0] != b[0]) {
      a = skip_base(a);
      b = skip_base(b);
      if (a[0] != b[0]) return false;
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() && b.empty();
}

namespace {

struct Field {
  std::string offset, size, name, type;
  std::string value;  // what the names in the type stand for; empty when the type says it itself,
                      // or the description is of a time when it was not written
  std::vector<TypeKey> refers;  // none as well
};

bool SameType(const Field& a, const Field& b) {
  return a.type == b.type && (a.value.empty() || b.value.empty() || SameValue(a.value, b.value));
}

bool Same(const Field& a, const Field& b) {
  return a.offset == b.offset && a.size == b.size && a.name == b.name && SameType(a, b);
}

// The type with the part of its value around byte `at`, where two descriptions begin to differ.
std::string TypeText(const Field& field, size_t at) {
  constexpr size_t kBefore = 60, kMost = 160;
  const size_t begin = at < kBefore ? 0 : at - kBefore;
  const std::string part = field.value.substr(std::min(begin, field.value.size()), kMost);
  return field.type + std::string(kStandsFor) + (begin == 0 ? "" : "...") + part +
         (begin + part.size() < field.value.size() ? "..." : "");
}

// Takes the type key from a line, if AddKey has made the line for the wanted key.
void TakeKey(std::string_view wanted, std::string_view key, std::string_view value,
             std::vector<TypeKey>* keys) {
  if (!key.starts_with(wanted)) return;
  if (key.size() == wanted.size()) {
    const size_t gap = std::min(value.find(' '), value.size());
    const std::string digits(value.substr(0, gap));
    keys->push_back({std::strtoull(digits.c_str(), nullptr, 16),
                     value.substr(std::min(gap + 1, value.size())),
                     {}});
  } else if (!keys->empty()) {
    keys->back().brand = value;
  }
}

std::vector<Field> FieldsOf(std::string_view description) {
  std::vector<Field> fields;
  ForEachLine(description, [&](std::string_view key, std::string_view value) {
    if (!fields.empty()) TakeKey(kRefers, key, value, &fields.back().refers);
    if (key != "field") return;
    const auto word = [&value] {
      const size_t end = std::min(value.find(' '), value.size());
      const std::string text(value.substr(0, end));
      value.remove_prefix(std::min(end + 1, value.size()));
      return text;
    };
    Field field{word(), word(), word(), "", "", {}};
    const size_t stands = value.find(kStandsFor);
    field.type = value.substr(0, stands);
    if (stands != std::string_view::npos) field.value = value.substr(stands + kStandsFor.size());
    fields.push_back(std::move(field));
  });
  return fields;
}

// "field a: stored INTEGER, in the program LONGREAL; field b is new in the program"; a field
// without a name is a referent, or an element of one.
std::string FieldDifferences(const std::string& stored, const std::string& program) {
  constexpr size_t kMost = 400;  // bytes
  const std::vector<Field> before = FieldsOf(stored), now = FieldsOf(program);
  const auto find = [](const std::vector<Field>& fields, const std::string& name) {
    return std::find_if(fields.begin(), fields.end(),
                        [&](const Field& field) { return field.name == name; });
  };
  std::string text;
  const auto add = [&text](const std::string& more) {
    if (text.size() >= kMost) return;
    if (!text.empty()) text += "; ";
    text += (more.starts_with(':') ? "its values" : "field ") + more;
  };
  for (const Field& field : before) {
    const auto other = find(now, field.name);
    if (other == now.end()) {
      add(field.name + " is not in the program");
    } else if (!SameType(field, *other)) {
      std::string was = field.type, is = other->type;
      if (was == is) {
        const auto differs = std::mismatch(field.value.begin(), field.value.end(),
                                           other->value.begin(), other->value.end());
        const auto at = static_cast<size_t>(differs.first - field.value.begin());
        was = TypeText(field, at);
        is = TypeText(*other, at);
      }
      add(field.name + ": stored " + was + ", in the program " + is);
    } else if (other->size != field.size) {
      add(field.name + ": stored with " + field.size + " bits, in the program " + other->size);
    }
  }
  for (const Field& field : now) {
    if (find(before, field.name) == before.end()) add(field.name + " is new in the program");
  }
  if (!text.empty()) return text;
  for (const Field& field : before) {
    const auto other = find(now, field.name);
    if (other != now.end() && other->offset != field.offset) add(field.name + " has moved");
  }
  return text;
}

}  // namespace

bool SameLayout(const std::string& stored, const std::string& program) {
  return LayoutLines(stored) == LayoutLines(program);
}

std::string LayoutDifference(const std::string& stored, const std::string& program) {
  const std::vector<std::string> before = LayoutLines(stored), now = LayoutLines(program);
  // In order: a subtype may have a field of the same name as its supertype.
  if (before == now && std::ranges::equal(FieldsOf(stored), FieldsOf(program), Same)) return "";
  if (std::string fields = FieldDifferences(stored, program); !fields.empty()) return fields;
  for (size_t i = 0; i < before.size() || i < now.size(); ++i) {
    if (i < before.size() && i < now.size() && before[i] == now[i]) continue;
    return "stored: " + (i < before.size() ? before[i] : "nothing") +
           "; program: " + (i < now.size() ? now[i] : "nothing");
  }
  return "";
}

namespace {

// The first of the stored types that is no longer the one in its place; null: they all are.
const TypeKey* Changed(std::span<const TypeKey> stored, std::span<const TypeKey> program,
                       const TypeKeys& types) {
  if (stored.size() != program.size()) return stored.empty() ? nullptr : &stored.front();
  for (size_t i = 0; i < stored.size(); ++i) {
    if (!SameReferent(stored[i], program[i], types)) return &stored[i];
  }
  return nullptr;
}

std::vector<TypeKey> SupertypesIn(std::string_view description) {
  std::vector<TypeKey> supertypes;
  ForEachLine(description, [&](std::string_view key, std::string_view value) {
    TakeKey(kBelow, key, value, &supertypes);
  });
  return supertypes;
}

}  // namespace

std::string ValueInDescription(std::string_view description, std::string_view key) {
  std::string_view found;
  ForEachLine(description, [&](std::string_view k, std::string_view value) {
    if (k == key && found.empty()) found = value;
  });
  return std::string(found);
}

std::optional<uint64_t> FingerprintIn(std::string_view description) {
  const std::string digits = ValueInDescription(description, "fingerprint");
  uint64_t fingerprint = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, fingerprint, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return fingerprint;
}

TypeKeys::TypeKeys(std::vector<TypeKey> types) : types_(std::move(types)) {
  for (size_t i = 0; i < types_.size(); ++i) by_fingerprint_.insert({types_[i].fingerprint, i});
}

size_t TypeKeys::Find(const TypeKey& key) const {
  if (const auto it = by_fingerprint_.find(key.fingerprint);
      it != by_fingerprint_.end() && key.fingerprint != 0) {
    return it->second;
  }
  if (key.name.empty()) return kNone;
  const auto found = std::ranges::find_if(types_, [&](const TypeKey& type) {
    return key.brand.empty() ? type.name == key.name : type.brand == key.brand;
  });
  return found == types_.end() ? kNone : static_cast<size_t>(found - types_.begin());
}

bool SameReferent(const TypeKey& stored, const TypeKey& program, const TypeKeys& types) {
  const size_t found = types.Find(stored);
  return found == types.Find(program) &&
         (found != TypeKeys::kNone || stored.fingerprint == program.fingerprint);
}

std::string LostSupertype(std::string_view stored, std::string_view program,
                          const TypeKeys& types) {
  const std::vector<TypeKey> now = SupertypesIn(program);
  for (const TypeKey& above : SupertypesIn(stored)) {
    const size_t found = types.Find(above);
    const bool still = std::ranges::any_of(
        now, [&](const TypeKey& supertype) { return types.Find(supertype) == found; });
    if (found != TypeKeys::kNone && !still) return std::string(above.name);
  }
  return "";
}

bool ReferToTheSame(std::string_view stored, std::string_view stored_field,
                    std::string_view program, std::string_view program_field,
                    const TypeKeys& types) {
  const auto refers = [](std::string_view description, std::string_view name) {
    std::vector<Field> fields = FieldsOf(description);
    const auto field = std::ranges::find(fields, name, &Field::name);
    return field == fields.end() ? std::vector<TypeKey>() : std::move(field->refers);
  };
  return Changed(refers(stored, stored_field), refers(program, program_field), types) == nullptr;
}

std::string TypeDifference(const std::string& stored, const std::string& program,
                           const TypeKeys& types) {
  const bool same_tree =
      ValueInDescription(stored, "fingerprint") == ValueInDescription(program, "fingerprint") &&
      SameLayout(stored, program);
  if (!same_tree) {
    if (std::string layout = LayoutDifference(stored, program); !layout.empty()) return layout;
  }
  if (const std::string lost = LostSupertype(stored, program, types); !lost.empty()) {
    return "it is not a subtype of " + lost + " in the program";
  }
  // Checked even if the fingerprints agree: fingerprints leave out the revelations of opaque types.
  const std::vector<Field> before = FieldsOf(stored), now = FieldsOf(program);
  for (size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
    const TypeKey* const changed = Changed(before[i].refers, now[i].refers, types);
    if (changed == nullptr) continue;
    return (before[i].name.empty() ? "what it refers to" : "field " + before[i].name) + ": " +
           std::string(changed->name) + " is another type in the program";
  }
  return "";
}

}  // namespace tenure::store
