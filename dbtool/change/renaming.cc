#include "dbtool/change/renaming.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "dbtool/values/object_shape.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

// Names with dots between them.
bool IsName(std::string_view text, bool with_dots) {
  char before = '.';
  for (const char c : text) {
    if (!IsOfName(c) || (c == '.' && (!with_dots || before == '.'))) return false;
    if (before == '.' && std::isalpha(static_cast<unsigned char>(c)) == 0) return false;
    before = c;
  }
  return before != '.';
}

Status NoSuch(const char* what, const std::string& name) {
  return store::Failure(
      StatusCode::kInvalidArgument,
      "the store has no " + std::string(what) + name + " ('tenure db schema' shows those it has)");
}

// Names of the type's supertypes, as its description has them.
std::vector<std::string> SupertypesOf(const StoredType& type) {
  std::vector<std::string> names;
  std::istringstream lines(type.description);
  for (std::string key, fingerprint, name, line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (words >> key >> fingerprint && key == "below" && std::getline(words >> std::ws, name)) {
      names.push_back(name);
    }
  }
  return names;
}

Status Parse(const std::vector<std::string>& words, bool fields,
             std::map<std::string, std::string>* renamed) {
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string from = word.substr(0, equals);
    const std::string to = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (!IsName(from, true) || !IsName(to, !fields) ||
        (fields && from.find('.') == std::string::npos)) {
      return store::Failure(StatusCode::kInvalidArgument,
                            "'" + word + "' is not a renaming: it has the form " +
                                (fields ? "TYPE.FIELD" : "TYPE") + "=NEW");
    }
    if (!renamed->insert({from, to}).second) {
      return store::Failure(StatusCode::kInvalidArgument, from + " is renamed twice");
    }
  }
  return Status::Ok();
}

// The paths of the fields of records in a value.
void AddPaths(const ValueType& value, const std::string& path, std::vector<std::string>* paths) {
  if (value.kind == ValueKind::kArray) AddPaths(*value.element, path, paths);
  for (const ValueField& field : value.fields) {
    const std::string inner = path.empty() ? field.name : path + "." + field.name;
    paths->push_back(inner);
    AddPaths(*field.type, inner, paths);
  }
}

class Renamer {
 public:
  Renamer(const StoredTypes& types, const Renaming& renaming)
      : types_(types), renaming_(renaming) {}

  Result<std::map<uint32_t, StoredType>> Run() {
    std::map<uint32_t, StoredType> renamed;
    for (const StoredType& type : types_.all()) {
      if (!type.procedure.empty()) continue;
      const std::string description = Description(type);
      if (description == type.description) continue;
      std::optional<StoredType> parsed = ParseType(type.index, description);
      if (!parsed) return store::Failure(StatusCode::kCorrupt, "type " + type.name);
      renamed[type.index] = *std::move(parsed);
    }
    for (const auto* names : {&renaming_.types, &renaming_.fields}) {
      for (const auto& [from, to] : *names) {
        if (used_.contains(from)) continue;
        return NoSuch(names == &renaming_.types ? "type " : "field ", from);
      }
    }
    return renamed;
  }

 private:
  std::string Description(const StoredType& type) {
    std::string out;
    const bool named = renaming_.types.contains(type.name);
    bool by_name = false;
    size_t field = 0;
    for (size_t at = 0; at < type.description.size();) {
      const size_t end = std::min(type.description.find('\n', at), type.description.size());
      const std::string line = type.description.substr(at, end - at);
      at = end + 1;
      if (by_name && (line.starts_with("below-brand ") || line.starts_with("refers-brand "))) {
        continue;
      }
      by_name = false;
      // A type that the user names is found by its name alone.
      if (named && line.starts_with("brand ")) continue;
      if (named && line.starts_with("fingerprint ")) {
        out += "fingerprint 0";
      } else if (line.starts_with("name ") || line.starts_with("supertype ")) {
        const size_t begin = line.find(' ') + 1;
        out += line.substr(0, begin) + Types(line.substr(begin));
      } else if (line.starts_with("below ") || line.starts_with("refers ")) {
        const size_t print = line.find(' ') + 1, begin = line.find(' ', print) + 1;
        const std::string name = line.substr(begin), renamed = Types(name);
        by_name = renamed != name || renaming_.types.contains(name);
        out += by_name ? line.substr(0, print) + "0 " + renamed : line;
      } else if (line.starts_with("field ")) {
        out += Field(type, field++, line);
      } else {
        out += line;
      }
      out += "\n";
    }
    return out;
  }

  // "field OFFSET SIZE NAME TYPE", one blank each: the name may be empty.
  std::string Field(const StoredType& type, size_t field, const std::string& line) {
    size_t begin = 0;
    for (int word = 0; word < 3; ++word) begin = line.find(' ', begin) + 1;
    const size_t end = std::min(line.find(' ', begin), line.size());
    NoteInner(type, field);
    return line.substr(0, begin) + NameOf(type, field, line.substr(begin, end - begin)) +
           Types(line.substr(end));
  }

  // Fields of records keep their names in the description: the conversion renames them.
  void NoteInner(const StoredType& type, size_t index) {
    const StoredField& field = type.fields[index];
    const ValueTypePtr value = KnownTypeOf(field, type.open() ? type.element_slots : type.slots);
    if (value == nullptr) return;
    std::vector<std::string> paths;
    AddPaths(*value, field.name, &paths);
    for (const std::string& path : paths) {
      for (const std::string& name : NamesOfField(types_, type, index, path)) {
        if (renaming_.fields.contains(name)) used_.insert(name);
      }
    }
  }

  // The field's new name. The renaming may name the field by its type or by a supertype, which may
  // be abstract and have no objects.
  std::string NameOf(const StoredType& type, size_t index, const std::string& field) {
    for (const std::string& name : NamesOfField(types_, type, index, field)) {
      const auto found = renaming_.fields.find(name);
      if (found == renaming_.fields.end()) continue;
      used_.insert(found->first);
      return found->second;
    }
    return field;
  }

  std::string Types(const std::string& text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && IsOfName(text[end])) ++end;
      const std::string name = text.substr(at, end - at);
      if (const auto found = renaming_.types.find(name); found != renaming_.types.end()) {
        used_.insert(name);
        out += found->second;
      } else {
        out += name;
      }
      if (end < text.size()) out += text[end++];
      at = end;
    }
    return out;
  }

  const StoredTypes& types_;
  const Renaming& renaming_;
  std::set<std::string> used_;
};

}  // namespace

namespace {

std::string Joined(const std::string& type, const std::string& path) {
  return path.empty() ? type : type + "." + path;
}

}  // namespace

std::vector<std::string> NamesOfField(const StoredTypes& types, const StoredType& type,
                                      const std::string& field) {
  const auto supertype_of = [&](const std::string& name) {
    const auto found = std::ranges::find(types.all(), name, &StoredType::name);
    return found == types.all().end() ? std::string() : found->supertype;
  };
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::string above = type.supertype;
  for (std::string name = type.name; !name.empty() && seen.insert(name).second; name = above) {
    names.push_back(Joined(name, field));
    if (name != type.name) above = supertype_of(name);
  }
  // Renames types without objects, too, so that the table does not keep the old names.
  for (const std::string& name : SupertypesOf(type)) {
    if (seen.insert(name).second) names.push_back(Joined(name, field));
  }
  return names;
}

std::vector<std::string> NamesOfField(const StoredTypes& types, const StoredType& type,
                                      size_t index, const std::string& path) {
  std::vector<size_t> alike;  // fields of the name
  for (size_t i = 0; i < type.fields.size(); ++i) {
    if (type.fields[i].name == type.fields[index].name) alike.push_back(i);
  }
  if (alike.size() == 1) return NamesOfField(types, type, path);
  // A supertype's fields come first in its subtypes.
  std::string declaring = type.name;
  for (const store::TypeName& above : type.supertypes) {
    const auto known = std::ranges::find_if(types.all(), [&](const StoredType& other) {
      return other.procedure.empty() &&
             store::TypeName{other.fingerprint, other.name, other.brand}.IsSame(above);
    });
    const bool has = known != types.all().end() ? known->fields.size() > index
                                                : declaring == type.name && index != alike.back();
    if (has) declaring = above.name;
  }
  return {Joined(declaring, path)};
}

std::string NameOfInner(const StoredTypes& types, const StoredType& type, size_t index,
                        const std::string& path, const Renaming& renaming,
                        const std::string& name) {
  for (const std::string& one : NamesOfField(types, type, index, path)) {
    const auto found = renaming.fields.find(one);
    if (found != renaming.fields.end()) return found->second;
  }
  return name;
}

Result<DroppedFields> ParseDropped(const std::vector<std::string>& fields, bool all) {
  DroppedFields dropped;
  dropped.all = all;
  for (const std::string& field : fields) {
    if (!IsName(field, true) || field.find('.') == std::string::npos) {
      return store::Failure(StatusCode::kInvalidArgument,
                            "'" + field + "' is not a field: it has the form TYPE.FIELD");
    }
    dropped.fields.insert(field);
  }
  return dropped;
}

Status CheckDropped(const StoredTypes& types, const DroppedFields& dropped) {
  std::set<std::string> left = dropped.fields;
  for (const StoredType& type : types.all()) {
    for (size_t i = 0; i < type.fields.size(); ++i) {
      const StoredField& field = type.fields[i];
      std::vector<std::string> paths = {field.name};
      const ValueTypePtr value = KnownTypeOf(field, type.open() ? type.element_slots : type.slots);
      if (value != nullptr) AddPaths(*value, field.name, &paths);
      for (const std::string& path : paths) {
        for (const std::string& name : NamesOfField(types, type, i, path)) left.erase(name);
      }
    }
  }
  if (left.empty()) return Status::Ok();
  return NoSuch("field ", *left.begin());
}

Result<Renaming> ParseRenaming(const std::vector<std::string>& types,
                               const std::vector<std::string>& fields) {
  Renaming renaming;
  TN_RETURN_IF_ERROR(Parse(types, false, &renaming.types));
  TN_RETURN_IF_ERROR(Parse(fields, true, &renaming.fields));
  return renaming;
}

Result<std::map<uint32_t, StoredType>> Renamed(const StoredTypes& types, const Renaming& renaming) {
  return Renamer(types, renaming).Run();
}

}  // namespace tenure::dbtool
