#include "dbtool/look/schema.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "dbtool/values/object_shape.h"

namespace tenure::dbtool {

namespace {

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool IsName(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::ranges::all_of(text, [](char c) { return IsNameCharacter(c) || c == '.'; });
}

std::string Mangled(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

// A comment must not end before its end, and comments nest.
std::string InComment(std::string text) {
  for (const char* mark : {"*)", "(*"}) {
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
      text.insert(at + 1, " ");
    }
  }
  return text;
}

// Types that the language has without a declaration.
bool IsBuiltin(std::string_view name) {
  static const std::set<std::string_view> names = {
      "INTEGER",  "LONGINT",  "CARDINAL", "LONGCARD", "BOOLEAN",   "CHAR",   "WIDECHAR",
      "REAL",     "LONGREAL", "EXTENDED", "TEXT",     "REFANY",    "ROOT",   "MUTEX",
      "ADDRESS",  "NULL",     "REF",      "ARRAY",    "OF",        "RECORD", "END",
      "SET",      "BITS",     "FOR",      "OBJECT",   "PROCEDURE", "RAISES", "ANY",
      "UNTRACED", "BRANDED",  "VAR",      "READONLY", "TRANSIENT", "FIRST",  "LAST",
      "METHODS",  "VALUE"};
  return names.contains(name);
}

class SchemaWriter {
 public:
  SchemaWriter(const StoredTypes& types, const ObjectCounts& counts)
      : types_(types), counts_(counts) {}

  std::string Write() {
    ChooseNames();
    std::string declared, procedures;
    for (const StoredType& type : types_.all()) {
      if (!type.procedure.empty()) {
        procedures += "(* " + std::to_string(type.index) + ": procedure " +
                      InComment(type.procedure) + " *)\n";
        continue;
      }
      declared += Declaration(type);
    }
    // Declaring one name may need others.
    std::string needed;
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const std::string name = wanted_[i];
      needed += "\n(* " + InComment(name) + ": no object of this type itself is stored *)\n" +
                Mangled(name) + " = " +
                (supertypes_.contains(name) ? "ROOT OBJECT END" : "REFANY") + ";\n";
    }
    std::string out = "INTERFACE Schema;\n";
    if (!values_.empty() || !declared.empty() || !needed.empty()) out += "\nTYPE\n";
    for (const std::string& value : values_) out += value;
    out += declared + needed;
    if (!procedures.empty()) out += "\n" + procedures;
    return out + "\nEND Schema.\n";
  }

 private:
  static bool IsOfLibrary(const StoredType& type) {
    static const std::set<std::string_view> brands = {"TextFlat.T8", "TextFlat.T16", "TextCat.T",
                                                      "TextBuffer.T"};
    return brands.contains(type.brand);
  }

  // The last type with a name has it alone; earlier ones are forms that it had.
  void ChooseNames() {
    std::map<std::string, uint32_t> last;
    for (const StoredType& type : types_.all()) {
      if (!type.procedure.empty()) continue;
      last[type.name] = type.index;
      if (!type.brand.empty()) branded_[type.brand] = type.index;
      for (const store::TypeName& above : type.supertypes) supertypes_.insert(above.name);
    }
    for (const StoredType& type : types_.all()) {
      if (!type.procedure.empty()) continue;
      const std::string number = std::to_string(type.index);
      std::string name = IsName(type.name) ? Mangled(type.name) : "Type_" + number;
      if (last[type.name] != type.index) name += "_" + number;
      while (taken_.contains(name)) name += "_" + number;
      taken_.insert(name);
      names_[type.index] = name;
      if (last[type.name] == type.index && !IsOfLibrary(type)) by_name_[type.name] = name;
    }
    for (const StoredType& type : types_.all()) {
      for (const StoredField& field : type.fields) {
        if (field.value.empty() || !IsName(field.type) || field.type.find('.') == std::string::npos)
          continue;
        const auto [at, fresh] = values_by_name_.try_emplace(field.type, field.value);
        // Two forms of it: each is written where it is used.
        if (!fresh && at->second != field.value) at->second.clear();
      }
    }
  }

  // The name of a type of references in the interface.
  std::string NameOf(const std::string& name) {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    if (const auto value = values_by_name_.find(name);
        value != values_by_name_.end() && !value->second.empty()) {
      return NamedValue(name);
    }
    if (std::ranges::find(wanted_, name) == wanted_.end()) {
      wanted_.push_back(name);
    }
    return Mangled(name);
  }

  // A named enumeration, record, ...: declared once.
  std::string NamedValue(const std::string& name) {
    std::string mangled = Mangled(name);
    if (declared_values_.insert(name).second) {
      taken_.insert(mangled);
      const ValueTypePtr type = ParseValueType(values_by_name_[name]);
      if (type == nullptr) return Translated(values_by_name_[name]);
      if (type->kind == ValueKind::kEnumeration && type->first == 0 &&
          type->last + 1 == static_cast<__int128>(type->names.size())) {
        enumerations_[Names(type->names)] = mangled;
      }
      std::string text = "\n" + mangled + " = " + TextOf(*type, true) + ";\n";
      values_.push_back(std::move(text));
    }
    return mangled;
  }

  static std::string Names(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "{" : ", ") + name;
    return text.empty() ? "{}" : text + "}";
  }

  // A type's text with the names of this interface. A part that was cut short becomes REFANY.
  std::string Translated(const std::string& text) {
    if (text.find("...") != std::string::npos) return "REFANY";
    std::string out;
    for (size_t at = 0; at < text.size();) {
      if (text[at] == '"') {
        const size_t end = text.find('"', at + 1);
        if (end == std::string::npos) return "REFANY";
        out += text.substr(at, end + 1 - at);
        at = end + 1;
        continue;
      }
      if (!IsNameCharacter(text[at])) {
        out += text[at++];
        continue;
      }
      size_t end = at;
      while (end < text.size() &&
             (IsNameCharacter(text[end]) ||
              (text[end] == '.' && end + 1 < text.size() &&
               std::isalpha(static_cast<unsigned char>(text[end + 1])) != 0))) {
        ++end;
      }
      const std::string word = text.substr(at, end - at);
      at = end;
      if (word == "RAISES") {
        // Exceptions are not stored.
        const size_t close = text.find('}', at);
        if (text.substr(at, 2) == " {" && close != std::string::npos) {
          at = close + 1;
          out += "RAISES ANY";
          continue;
        }
      }
      out += word.find('.') != std::string::npos && !IsBuiltin(word) ? NameOf(word) : word;
    }
    return out;
  }

  std::string TextOf(const ValueType& type, bool declaring = false) {
    const std::string packed =
        type.packed ? "BITS " + std::to_string(type.bits) + " FOR " : std::string();
    switch (type.kind) {
      case ValueKind::kEnumeration: {
        const bool whole =
            type.first == 0 && type.last + 1 == static_cast<__int128>(type.names.size());
        std::string names = Names(type.names);
        if (whole && declaring && !type.packed) return names;
        std::string& name = enumerations_[names];
        if (name.empty()) {
          // One of the names that stand for it, or one of ours.
          for (const auto& [known, value] : values_by_name_) {
            if (value == names) return packed + Enumeration(type, whole, NamedValue(known));
          }
          if (whole && !type.packed) return names;
          name = "Enumeration_" + std::to_string(enumerations_.size());
          values_.push_back("\n" + name + " = " + names + ";\n");
        }
        return packed + Enumeration(type, whole, name);
      }
      case ValueKind::kSet: return packed + "SET OF " + TextOf(*type.index);
      case ValueKind::kArray:
        return packed + "ARRAY " + TextOf(*type.index) + " OF " + TextOf(*type.element);
      case ValueKind::kRecord: {
        std::string out;
        for (const ValueField& field : type.fields) {
          out += " " + field.name + ": " + TextOf(*field.type) + ";";
        }
        return packed + "RECORD" + out + " END";
      }
      case ValueKind::kUnknown:
        return "ARRAY [1.." + std::to_string((type.bits + 7) / 8) + "] OF BITS 8 FOR [0..255] (* " +
               InComment(type.text) + " *)";
      default: return Translated(type.text);
    }
  }

  static std::string Enumeration(const ValueType& type, bool whole, const std::string& name) {
    if (whole) return name;
    const auto element = [&](__int128 number) { return name + "." + OrdinalText(type, number); };
    return "[" + element(type.first) + ".." + element(type.last) + "]";
  }

  std::string FieldText(const ShapeField& field) {
    const StoredField& stored = *field.stored;
    const auto named = values_by_name_.find(stored.type);
    if (!stored.value.empty() && named != values_by_name_.end() && !named->second.empty()) {
      return NamedValue(stored.type);
    }
    return TextOf(*field.type);
  }

  // The stored supertype whose fields the type begins with; null: it is not stored.
  const StoredType* SuperOf(const StoredType& type) const {
    if (type.supertypes.empty()) return nullptr;
    const store::TypeName& above = type.supertypes.front();
    const StoredType* found = nullptr;
    for (const StoredType& candidate : types_.all()) {
      if (!candidate.procedure.empty() || candidate.kind != "object" ||
          !store::TypeName{candidate.fingerprint, candidate.name, candidate.brand}.IsSame(above) ||
          candidate.fields.size() > type.fields.size()) {
        continue;
      }
      if (candidate.fingerprint == above.fingerprint) return &candidate;
      found = &candidate;
    }
    return found;
  }

  std::string Declaration(const StoredType& type) {
    const auto count = counts_.find(type.index);
    std::string out = "\n(* " + std::to_string(type.index) + ": " + InComment(type.name) + ", " +
                      std::to_string(type.payload_bytes) + " bytes";
    if (type.open()) out += " and elements of " + std::to_string(type.element_bytes);
    out += count == counts_.end() ? "; nothing has this type any more *)\n"
           : count->second == 1   ? "; 1 object *)\n"
                                  : "; " + std::to_string(count->second) + " objects *)\n";
    // The library declares them, and a program has them already.
    if (IsOfLibrary(type)) return out.substr(0, out.size() - 4) + ": a form of TEXT *)\n";
    const std::string& name = names_[type.index];
    const ObjectShape& shape = shapes_.Of(type);
    out += name + " = ";
    const bool object = type.kind == "object";
    std::string brand;
    if (!type.brand.empty()) {
      std::string quoted = "\"";
      for (const char c : type.brand) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
      }
      quoted += "\"";
      // Two types cannot have one brand, and a program may have the library's containers too.
      const bool own = branded_[type.brand] == type.index && type.brand[0] != '(' &&
                       !type.brand.starts_with("Database.") && type.brand != "Atom-1.0";
      brand = own ? "BRANDED " + quoted + " " : "(* BRANDED " + InComment(quoted) + " *) ";
    }
    size_t inherited = 0;
    if (object) {
      if (const StoredType* const super = SuperOf(type)) {
        inherited = super->fields.size();
        out += names_[super->index] + " ";
      } else if (!type.supertypes.empty() && IsName(type.supertypes.front().name)) {
        supertypes_.insert(type.supertypes.front().name);
        out += NameOf(type.supertypes.front().name) + " ";
      }
      out += brand + "OBJECT\n";
    } else if (type.open()) {
      out += brand + "REF ";
      for (uint64_t i = 0; i < type.open_dimensions; ++i) out += "ARRAY OF ";
      return out +
             (shape.element == nullptr ? "CHAR (* nothing is known of the elements *)"
                                       : ElementText(shape)) +
             ";\n";
    } else if (shape.fields.size() == 1 && shape.fields[0].name.empty()) {
      return out + brand + "REF " + FieldText(shape.fields[0]) + ";\n";
    } else {
      out += brand + "REF RECORD\n";
    }
    for (size_t i = inherited; i < shape.fields.size(); ++i) {
      out += "    " + shape.fields[i].name + ": " + FieldText(shape.fields[i]) + ";\n";
    }
    return out + "  END;\n";
  }

  std::string ElementText(const ObjectShape& shape) {
    if (shape.stored_element == nullptr) return TextOf(*shape.element);
    return FieldText({"", "", shape.element, 0, shape.stored_element});
  }

  const StoredTypes& types_;
  const ObjectCounts& counts_;
  ObjectShapes shapes_;
  std::map<uint32_t, std::string> names_;              // in the interface, by index
  std::map<std::string, std::string> by_name_;         // the same by stored names
  std::map<std::string, std::string> values_by_name_;  // what names of values stand for
  std::map<std::string, uint32_t> branded_;            // the last type with a brand
  std::map<std::string, std::string> enumerations_;    // names in the interface, by the elements
  std::set<std::string> taken_, declared_values_, supertypes_;
  std::vector<std::string> values_;  // declarations of named values
  std::vector<std::string> wanted_;  // stored names without a declaration
};

}  // namespace

std::string SchemaInterface(const StoredTypes& types, const ObjectCounts& counts) {
  return SchemaWriter(types, counts).Write();
}

}  // namespace tenure::dbtool
