#include "stabilize/type_catalog.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "stabilize/status_text.h"

namespace tenure::stabilize {

namespace {

using abi::TypeDescriptor;

// In a field's line, between a type's text and what the names in it stand for.
constexpr std::string_view kStandsFor = " = ";

std::string Hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

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

std::string Value(std::string_view description, std::string_view key) {
  std::string value;
  ForEachLine(description, [&](std::string_view k, std::string_view v) {
    if (k == key && value.empty()) value = v;
  });
  return value;
}

// The lines that say what the bytes of an object mean to the collector and the codec.
std::vector<std::string> LayoutLines(std::string_view description) {
  std::vector<std::string> lines;
  ForEachLine(description, [&](std::string_view key, std::string_view value) {
    if (key == "fingerprint" || key == "name" || key == "brand" || key == "supertype" ||
        key == "field" || key == "end")
      return;
    lines.push_back(std::string(key) + " " + std::string(value));
  });
  return lines;
}

}  // namespace

std::string DescribeType(const TypeDescriptor& type) {
  std::string out;
  out += "fingerprint " + Hex(type.fingerprint) + "\n";
  out += std::string("name ") + type.name + "\n";
  if (type.brand != nullptr) out += std::string("brand ") + type.brand + "\n";
  if (type.supertype != nullptr) out += std::string("supertype ") + type.supertype->name + "\n";
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
  }
  out += "end\n";
  return out;
}

namespace {

struct Field {
  std::string offset, size, name, type;
  std::string value;  // what the names in the type stand for; empty when the type says it itself,
                      // or the description is of a time when it was not written
};

bool SameType(const Field& a, const Field& b) {
  return a.type == b.type && (a.value.empty() || b.value.empty() || a.value == b.value);
}

bool Same(const Field& a, const Field& b) {
  return a.offset == b.offset && a.size == b.size && a.name == b.name && SameType(a, b);
}

// The type with so much of its value that what differs from byte `at` on can be seen.
std::string TypeText(const Field& field, size_t at) {
  constexpr size_t kBefore = 60, kMost = 160;
  const size_t begin = at < kBefore ? 0 : at - kBefore;
  const std::string part = field.value.substr(std::min(begin, field.value.size()), kMost);
  return field.type + std::string(kStandsFor) + (begin == 0 ? "" : "...") + part +
         (begin + part.size() < field.value.size() ? "..." : "");
}

std::vector<Field> FieldsOf(std::string_view description) {
  std::vector<Field> fields;
  ForEachLine(description, [&](std::string_view key, std::string_view value) {
    if (key != "field") return;
    const auto word = [&value] {
      const size_t end = std::min(value.find(' '), value.size());
      const std::string text(value.substr(0, end));
      value.remove_prefix(std::min(end + 1, value.size()));
      return text;
    };
    Field field{word(), word(), word(), "", ""};
    const size_t stands = value.find(kStandsFor);
    field.type = value.substr(0, stands);
    if (stands != std::string_view::npos) field.value = value.substr(stands + kStandsFor.size());
    fields.push_back(std::move(field));
  });
  return fields;
}

// "field a: stored INTEGER, in the program LONGREAL; field b is new in the program"; a field
// without a name is what a reference refers to, or an element of that.
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

TypeCatalog::TypeCatalog(ProgramTypes types) : types_(types) {
  for (const TypeDescriptor* type : types_) {
    if (type != nullptr) by_fingerprint_.insert({type->fingerprint, type});
  }
}

Status TypeCatalog::Load(PageServer& server) {
  entries_.clear();
  return Refresh(server, 0);
}

Status TypeCatalog::Reload(PageServer& server) {
  Result<std::vector<TypeEntry>> table = server.TypeEntries();
  if (!table.ok()) return table.status();
  size_t same = 0;
  while (same < entries_.size() && same < table->size() &&
         entries_[same].description == (*table)[same].description) {
    ++same;
  }
  entries_.resize(same);
  std::erase_if(index_of_, [&](const auto& entry) { return entry.second > same; });
  for (size_t i = 0; i < same; ++i) {
    if (entries_[i].type != nullptr) {
      index_of_.insert({entries_[i].type, static_cast<uint32_t>(i + 1)});
    }
  }
  recent_ = {};
  return Refresh(server, 0);
}

Status TypeCatalog::Refresh(PageServer& server, uint32_t index) {
  if (index != 0 && index <= entries_.size()) return Status::Ok();
  Result<std::vector<TypeEntry>> table = server.TypeEntries();
  if (!table.ok()) return table.status();
  for (size_t i = entries_.size(); i < table->size(); ++i) {
    if ((*table)[i].index != i + 1) {
      return Status(StatusCode::kCorrupt, "the store's type table has gaps", (*table)[i].index);
    }
    entries_.push_back({std::move((*table)[i].description), nullptr, false});
  }
  if (index > entries_.size())
    return Status(StatusCode::kCorrupt, "the store's type table lacks an entry", index);
  return Status::Ok();
}

Status TypeCatalog::Match(Entry& entry) {
  entry.matched = true;
  uint64_t fingerprint = 0;
  const std::string text = Value(entry.description, "fingerprint");
  if (std::sscanf(text.c_str(), "%" SCNx64, &fingerprint) != 1) {
    return Status(StatusCode::kCorrupt, "an entry of the store's type table is unreadable");
  }
  if (const auto it = by_fingerprint_.find(fingerprint); it != by_fingerprint_.end()) {
    // The fingerprint names an opaque supertype, whose revelation may have changed; texts of field
    // types may differ between programs that call the same type by different names.
    if (SameLayout(entry.description, DescribeType(*it->second))) {
      entry.type = it->second;
      return Status::Ok();
    }
  }
  const std::string name = Value(entry.description, "name"),
                    brand = Value(entry.description, "brand");
  std::string difference;
  for (const TypeDescriptor* type : types_) {
    if (type == nullptr) continue;
    const bool same_name = name == type->name;
    const bool same_brand = !brand.empty() && type->brand != nullptr && brand == type->brand;
    if (!same_name && !same_brand) continue;
    difference = LayoutDifference(entry.description, DescribeType(*type));
    if (difference.empty()) {
      entry.type = type;
      return Status::Ok();
    }
  }
  if (difference.empty()) {
    return Failure(StatusCode::kTypeMismatch, "the program has no type like the stored " + name);
  }
  return Failure(StatusCode::kTypeMismatch,
                 "type " + name + " has another layout in the program (" + difference +
                     "); 'tenure db upgrade' can convert what is stored");
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

Result<uint32_t> TypeCatalog::IndexOf(PageServer& server, const TypeDescriptor& type) {
  // Naming asks for every object.
  const auto& [recent, known] = recent_[reinterpret_cast<uintptr_t>(&type) / 32 % recent_.size()];
  if (recent == &type) return known;
  if (const auto it = index_of_.find(&type); it != index_of_.end()) return KnownIndexOf(type);
  const std::string description = DescribeType(type);
  Result<uint32_t> index = server.AddType(std::as_bytes(std::span(description)));
  if (!index.ok()) return index;
  TN_RETURN_IF_ERROR(Refresh(server, *index));
  entries_[*index - 1].type = &type;
  entries_[*index - 1].matched = true;
  index_of_.insert({&type, *index});
  return *index;
}

std::string TypeCatalog::ProcedureName(PageServer& server, uint32_t index) {
  // Entries of procedures are made past the catalog (Database::ProcedureToStored), so it may not
  // have seen them.
  if (index == 0 || !Refresh(server, index).ok()) return "";
  return Value(entries_[index - 1].description, "procedure");
}

}  // namespace tenure::stabilize
