#include "dbtool/upgrade.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "dbtool/field_texts.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"

namespace tenure::dbtool {

namespace {

// The slots in a field: offset from the field's start, and kind.
std::map<uint64_t, StoredSlot> SlotsIn(const StoredType& type, const StoredField& field) {
  std::map<uint64_t, StoredSlot> slots;
  for (const SlotRun& run : type.slots) {
    for (uint64_t i = 0; i < run.count; ++i) {
      const uint64_t bit = 8 * (run.offset + i * run.stride);
      if (bit >= field.bit_offset && bit < field.bit_offset + field.bit_size) {
        slots[bit - field.bit_offset] = run.kind;
      }
    }
  }
  return slots;
}

enum class Way : uint8_t { kCopy, kOrdinal, kElement, kReal };

// Whether the values of a field can be copied: the types are the same, or their enumerations have
// only got more elements at the end. An enumeration that indexes an array may not, since the array
// is longer then.
bool ValuesStay(const StoredField& from, const StoredField& to) {
  if (from.value.empty() || to.value.empty()) return from.type == to.type;
  if (store::SameValue(from.value, to.value)) return true;
  const std::string &before = from.value, &now = to.value;
  size_t i = 0, k = 0;
  for (; i < before.size() && k < now.size(); ++i, ++k) {
    if (before[i] == now[k]) continue;
    const size_t begin = before.rfind('{', i), end = now.find('}', k);
    if (before[i] != '}' || now[k] != ',' || end == std::string::npos ||
        begin == std::string::npos || before.find('}', begin) != i ||
        (begin >= 6 && before.compare(begin - 6, 6, "ARRAY ") == 0)) {
      return false;
    }
    k = end;
  }
  return i == before.size() && k == now.size();
}

struct FieldMove {
  Way way = Way::kCopy;
  StoredField from, to;
};

// How the field's value becomes that of the other; nothing when it cannot.
std::optional<FieldMove> MoveOf(const StoredType& stored, const StoredField& from,
                                const StoredType& program, const StoredField& to,
                                const store::TypeKeys& types) {
  const auto before = SlotsIn(stored, from), now = SlotsIn(program, to);
  const bool same = ValuesStay(from, to) && ReferToTheSame(stored.description, from.name,
                                                           program.description, to.name, types);
  const auto is_set = [](const StoredField& field) {
    return (field.value.empty() ? field.type : field.value).starts_with("SET OF ");
  };
  // A set of more elements may be longer.
  const bool longer = is_set(from) && is_set(to) && from.bit_size < to.bit_size;
  if ((from.bit_size == to.bit_size || longer) && before == now) {
    if (same) return FieldMove{Way::kCopy, from, to};
    const bool reference = now.size() == 1 && now.begin()->second == StoredSlot::kReference;
    if (reference && to.bit_size == 64 && to.type == "REFANY") {
      return FieldMove{Way::kCopy, from, to};
    }
  }
  if (!before.empty() || !now.empty()) return std::nullopt;
  if (from.type == "REAL" && to.type == "LONGREAL") return FieldMove{Way::kReal, from, to};
  if (from.bit_size == 0 || from.bit_size > 64 || to.bit_size > 64) return std::nullopt;
  if (ElementsOf(from) && ElementsOf(to)) return FieldMove{Way::kElement, from, to};
  // In an older store the meaning of a type's name is unknown: it may be a record.
  if (!RangeOf(from) || !RangeOf(to)) return std::nullopt;
  return FieldMove{Way::kOrdinal, from, to};
}

// Whether a converter can have the field's value.
bool CanBeRead(const StoredType& type, const StoredField& field) {
  const auto slots = SlotsIn(type, field);
  if (slots.empty()) return field.bit_size <= 64;
  return field.type == "TEXT" && slots.size() == 1 &&
         slots.begin()->second == StoredSlot::kReference;
}

class Upgrading {
 public:
  Upgrading(OpenedStore& store, const std::vector<ProgramType>& program,
            const UpgradeOptions& options)
      : store_(store),
        program_(program),
        types_(KeysOf(program)),
        values_(store, program, options.only_try),
        options_(options) {}

  Result<RewriteTotals> Run(const std::vector<std::string>& databases) {
    TN_ASSIGN_OR_RETURN(const auto renamed, Renamed(store_.types, options_.renaming));
    TN_RETURN_IF_ERROR(CheckDropped(store_.types, options_.dropped));
    TN_RETURN_IF_ERROR(CheckConverter());
    for (const std::string& name : databases) {
      TN_ASSIGN_OR_RETURN(std::vector<TypeComparison> comparisons,
                          CompareTypes(store_, name, program_, renamed));
      // A type that the program lacks is most often why others differ.
      std::ranges::stable_partition(comparisons,
                                    [](const TypeComparison& it) { return it.program == nullptr; });
      for (const TypeComparison& comparison : comparisons) {
        compared_.insert(comparison.stored->name);
        if (!comparison.difference.empty() || comparison.renamed != comparison.stored) {
          TN_RETURN_IF_ERROR(Plan(name, comparison));
        }
      }
    }
    if (options_.planned) std::ranges::for_each(upgraded_, options_.planned);
    NoteIdleConverter();
    TN_RETURN_IF_ERROR(CheckNothingIsLost());
    if (plans_.empty()) {
      TN_RETURN_IF_ERROR(store_.server->Close());
      return RewriteTotals();
    }
    for (auto& [index, plan] : plans_) {
      plan.type = plan.program->type;
      TN_ASSIGN_OR_RETURN(const uint32_t made, EntryOf(plan.type.description));
      plan.type.index = made;
      TN_RETURN_IF_ERROR(MakeDefaults(&plan));
      plan.conversion.to = &plan.type;
      plan.conversion.convert = [this, &plan = plan](const StoredObject& object,
                                                     ObjectReader& reader) {
        return Convert(plan, object, reader);
      };
    }
    RewriteOptions options;
    options.conversion = [this](const StoredType& type) -> const Conversion* {
      const auto plan = plans_.find(type.index);
      return plan == plans_.end() ? nullptr : &plan->second.conversion;
    };
    options.problem = [this] { return problem_.ok() ? CheckConverterHasRead() : problem_; };
    options.only_try = options_.only_try;
    return Rewrite(store_, databases, options);
  }

 private:
  struct TypePlan {
    const ProgramType* program = nullptr;
    std::vector<FieldMove> moves;
    bool whole = false;          // the payload is copied unchanged
    bool asked = false;          // the converter is
    std::set<std::string> left;  // fields that it must set
    // The fields that are lost unless the converter reads them: by their present name, the stored
    // one.
    std::map<std::string, std::string> gone;
    StoredType type;                  // with its index in the store
    std::vector<std::byte> defaults;  // as in `program`, with procedures
    std::vector<MadeObject> texts;    // texts of fields that are not copied
    const StoredType* stored = nullptr;
    Conversion conversion;
  };

  // The number of an entry of the type table.
  Result<uint32_t> EntryOf(const std::string& description) {
    if (options_.only_try) return uint32_t{1};
    return store_.server->AddType(std::as_bytes(std::span(description)));
  }

  // Gets from NEW the values of fields that are not copied.
  Status MakeDefaults(TypePlan* plan) {
    plan->defaults = plan->program->defaults;
    const auto is_taken_over = [&](uint64_t slot) {
      return std::ranges::any_of(plan->moves, [&](const FieldMove& move) {
        return 8 * slot >= move.to.bit_offset && 8 * slot < move.to.bit_offset + move.to.bit_size;
      });
    };
    for (const DefaultText& text : plan->program->texts) {
      if (is_taken_over(text.slot)) continue;
      TN_ASSIGN_OR_RETURN(MadeObject made, values_.Literal(text));
      plan->texts.push_back(std::move(made));
    }
    for (const DefaultProcedure& procedure : plan->program->procedures) {
      if (is_taken_over(procedure.slot)) continue;
      TN_ASSIGN_OR_RETURN(const uint32_t entry, EntryOf("procedure " + procedure.name + "\n"));
      PutBits(&plan->defaults, 8 * procedure.slot, 64,
              store::PersistentRef::Entry(store::RefKind::kProcedure, entry).bits);
    }
    return Status::Ok();
  }

  // --- Nothing in silence

  static std::string Joined(const std::vector<std::string>& names) {
    constexpr size_t kMost = 20;
    std::string text;
    for (size_t i = 0; i < names.size() && i < kMost; ++i) {
      text += (i == 0 ? "" : ", ") + names[i];
    }
    return text +
           (names.size() > kMost ? " and " + std::to_string(names.size() - kMost) + " more" : "");
  }

  // Checks that the store has the types which the converter converts.
  Status CheckConverter() {
    if (options_.converter == nullptr) return Status::Ok();
    std::set<std::string> known;
    for (const StoredType& type : store_.types.all()) {
      for (const std::string& name : NamesOfField(store_.types, type, "")) {
        known.insert(name.substr(0, name.size() - 1));
      }
    }
    for (const std::string& name : options_.converter->types()) {
      if (known.contains(name)) continue;
      return store::Failure(StatusCode::kInvalidArgument,
                            "the converter converts a type " + name +
                                ", which the store does not have ('tenure db schema' shows "
                                "those it has)");
    }
    return Status::Ok();
  }

  // Notes types for which the converter exists and is not needed.
  void NoteIdleConverter() {
    if (options_.converter == nullptr || !options_.note) return;
    for (const std::string& name : options_.converter->types()) {
      const bool asked = std::ranges::any_of(plans_, [&](const auto& plan) {
        return plan.second.asked && plan.second.stored->name == name;
      });
      if (asked) continue;
      const bool there = compared_.contains(name);
      options_.note("the converter is not asked about type " + name +
                    (there ? ": its objects need no conversion"
                           : ": there are no objects of just this type"));
    }
  }

  Status WouldBeLost(const std::vector<std::string>& fields, const std::string& why) const {
    return store::Failure(
        StatusCode::kTypeMismatch,
        "the values of these fields would be lost, " + why + ": " + Joined(fields) +
            "; --drop-field TYPE.FIELD for each, or --drop for all, says that they may be, "
            "--rename-field TYPE.FIELD=NEW that one has another name");
  }

  Status CheckNothingIsLost() const {
    std::vector<std::string> lost;
    for (const auto& [index, plan] : plans_) {
      for (const auto& [now, field] : plan.gone) {
        // A field that the converter can read is left to it until all objects have been converted.
        if (plan.asked && CanBeRead(*plan.stored, *FieldNamed(*plan.stored, field))) continue;
        lost.push_back(plan.stored->name + "." + field);
      }
    }
    return lost.empty() ? Status::Ok() : WouldBeLost(lost, "since the program does not have them");
  }

  Status CheckConverterHasRead() const {
    std::vector<std::string> lost;
    for (const auto& [index, plan] : plans_) {
      for (const auto& [now, field] : plan.gone) {
        if (plan.asked && offered_.contains({plan.stored->name, field}) &&
            !options_.converter->HasRead(plan.stored->name, now)) {
          lost.push_back(plan.stored->name + "." + field);
        }
      }
    }
    return lost.empty() ? Status::Ok()
                        : WouldBeLost(lost,
                                      "since neither the program has nor the converter "
                                      "reads them");
  }

  bool MayBeLost(const StoredType& type, const std::string& field) const {
    const std::vector<std::string> names = NamesOfField(store_.types, type, field);
    return options_.dropped.all || std::ranges::any_of(names, [&](const std::string& name) {
             return options_.dropped.fields.contains(name);
           });
  }

  Status Plan(const std::string& database, const TypeComparison& comparison) {
    const StoredType& stored = *comparison.renamed;
    const std::string& name = comparison.stored->name;
    const auto refuse = [&](const std::string& why) {
      return store::Failure(StatusCode::kTypeMismatch, "database " + database + ": type " + name +
                                                           " cannot be converted: " + why);
    };
    if (comparison.program == nullptr) {
      const bool has_a_name = name.find(' ') == std::string::npos;
      return refuse(
          comparison.difference +
          (has_a_name ? " (if it has another name there: --rename-type " + name + "=NEW)" : ""));
    }
    const StoredType& now = comparison.program->type;
    if (!LostSupertype(stored.description, now.description, types_).empty()) {
      return refuse(comparison.difference);
    }
    TypePlan plan;
    plan.stored = comparison.stored;
    upgraded_.push_back({database, name, comparison.objects, comparison.difference, {}});
    if (stored.open() && store::SameLayout(stored.description, now.description) &&
        stored.fields.size() == 1 && now.fields.size() == 1 &&
        ValuesStay(stored.fields[0], now.fields[0]) &&
        ReferToTheSame(stored.description, "", now.description, "", types_)) {
      plan.program = comparison.program;
      plan.whole = true;
      plans_[stored.index] = std::move(plan);
      return Status::Ok();
    }
    if (stored.open() || now.open() || stored.kind != now.kind) {
      return refuse("only fields of objects and records can be (" + comparison.difference + ")");
    }
    plan.program = comparison.program;
    const auto once = [](const StoredType& type) {
      std::set<std::string> names;
      return std::all_of(type.fields.begin(), type.fields.end(), [&](const StoredField& field) {
        return names.insert(field.name).second &&
               field.bit_offset + field.bit_size <= 8 * type.payload_bytes;
      });
    };
    if (!once(stored) || !once(now)) return refuse("two fields have the same name");
    plan.asked = options_.converter != nullptr && options_.converter->Converts(name);
    for (const StoredField& to : now.fields) {
      const StoredField* from = FieldNamed(stored, to.name);
      if (from == nullptr) continue;
      std::optional<FieldMove> move = MoveOf(stored, *from, now, to, types_);
      if (!move && plan.asked) {
        plan.left.insert(to.name);
        continue;
      }
      if (!move) {
        return refuse(from->type == to.type
                          ? comparison.difference
                          : "field " + to.name + " from " + from->type + " to " + to.type);
      }
      plan.moves.push_back(*std::move(move));
    }
    for (size_t i = 0; i < stored.fields.size(); ++i) {
      if (FieldNamed(now, stored.fields[i].name) != nullptr) continue;
      const std::string& field = comparison.stored->fields[i].name;
      const bool may_be_lost = MayBeLost(*comparison.stored, field);
      if (stored.fields[i].name != field) {
        return refuse("the program's type has no field " + stored.fields[i].name + ", as " + field +
                      " is to be called");
      }
      if (!may_be_lost) plan.gone[stored.fields[i].name] = field;
      if (may_be_lost || !plan.asked || !CanBeRead(stored, stored.fields[i])) {
        upgraded_.back().dropped.push_back(field);
      }
    }
    for (const StoredField& to : now.fields) {
      if (FieldNamed(stored, to.name) != nullptr || plan.program->defaults_whole ||
          SlotsIn(now, to).empty()) {
        continue;
      }
      return refuse(
          "the program was built by an older tenure, which does not tell the default of "
          "field " +
          to.name + ": build it anew");
    }
    plans_[stored.index] = std::move(plan);
    return Status::Ok();
  }

  Converted Convert(const TypePlan& plan, const StoredObject& object, ObjectReader& reader) {
    if (plan.whole) return {{object.payload.begin(), object.payload.end()}, {}};
    Converted converted{plan.defaults, plan.texts};
    std::vector<std::byte>& payload = converted.payload;
    for (const FieldMove& move : plan.moves) {
      const StoredField &from = move.from, &to = move.to;
      if (move.way == Way::kCopy) {
        for (uint64_t done = 0; done < from.bit_size; done += 64) {
          const uint64_t count = std::min<uint64_t>(64, from.bit_size - done);
          PutBits(&payload, to.bit_offset + done, count,
                  BitsAt(object.payload, from.bit_offset + done, count));
        }
        for (uint64_t at = from.bit_size; at < to.bit_size; ++at) {
          PutBits(&payload, to.bit_offset + at, 1, 0);  // 0, not the default's bit
        }
        continue;
      }
      uint64_t value = BitsAt(object.payload, from.bit_offset, from.bit_size);
      if (move.way == Way::kReal) {
        const auto bits = static_cast<uint32_t>(value);
        float real;
        std::memcpy(&real, &bits, sizeof real);
        const double longreal = real;
        std::memcpy(&value, &longreal, sizeof value);
      } else {
        value = move.way == Way::kElement ? Element(object, from, to, value)
                                          : Ordinal(object, from, to, value);
      }
      PutBits(&payload, to.bit_offset, to.bit_size, value);
    }
    if (plan.asked && problem_.ok()) {
      const std::string place = "object " + Show(object.at) + " of type " + object.type->name;
      const Status status = Ask(plan, object, reader, &converted);
      if (!status.ok()) {
        problem_ = store::Failure(status.code(), place + ": " + std::string(status.text()));
      }
    }
    return converted;
  }

  // Asks the converter for the object's new fields.
  Status Ask(const TypePlan& plan, const StoredObject& object, ObjectReader& reader,
             Converted* converted) {
    const std::string name = object.type->name;
    TN_ASSIGN_OR_RETURN(const FieldValues old, values_.Of(object, reader));
    for (const auto& [field, value] : old) offered_.insert({name, field});
    TN_ASSIGN_OR_RETURN(const FieldValues set, options_.converter->Convert(name, old));
    std::set<std::string> left = plan.left;
    for (const auto& [field, value] : set) {
      TN_RETURN_IF_ERROR(values_.Put(plan.type, field, value, converted));
      left.erase(field);
    }
    if (left.empty()) return Status::Ok();
    return store::Failure(StatusCode::kTypeMismatch,
                          "the converter does not set field " + *left.begin());
  }

  uint64_t Ordinal(const StoredObject& object, const StoredField& from, const StoredField& to,
                   uint64_t bits) {
    const Range before = *RangeOf(from), now = *RangeOf(to);
    __int128 value = bits;
    if (before.first < 0 && (bits >> (from.bit_size - 1) & 1) != 0) {
      value -= static_cast<__int128>(1) << from.bit_size;
    }
    if (value < now.first || value > now.last) {
      Refuse(object, from, "a " + from.type + ", cannot be that of a " + to.type);
    }
    return static_cast<uint64_t>(value);
  }

  // Elements keep their names.
  uint64_t Element(const StoredObject& object, const StoredField& from, const StoredField& to,
                   uint64_t value) {
    const std::vector<std::string> before = *ElementsOf(from), now = *ElementsOf(to);
    const auto found = value < before.size() ? std::ranges::find(now, before[value]) : now.end();
    if (found == now.end()) {
      Refuse(object, from,
             (value < before.size() ? before[value] : std::to_string(value)) +
                 ", is not an element of the program's " + to.type);
      return 0;
    }
    return static_cast<uint64_t>(found - now.begin());
  }

  void Refuse(const StoredObject& object, const StoredField& field, const std::string& why) {
    if (!problem_.ok()) return;
    problem_ = store::Failure(StatusCode::kTypeMismatch,
                              "object " + Show(object.at) + " of type " + object.type->name +
                                  ": the value of field " + field.name + ", " + why);
  }

  OpenedStore& store_;
  const std::vector<ProgramType>& program_;
  const store::TypeKeys types_;  // of the program
  FieldTexts values_;
  const UpgradeOptions& options_;
  std::map<uint32_t, TypePlan> plans_;  // by index of the stored type
  std::vector<UpgradedType> upgraded_;
  std::set<std::string> compared_;                         // stored types that have objects
  std::set<std::pair<std::string, std::string>> offered_;  // types' fields, to the converter
  Status problem_;
};

}  // namespace

Result<RewriteTotals> Upgrade(OpenedStore& store, const std::vector<std::string>& databases,
                              const std::vector<ProgramType>& program,
                              const UpgradeOptions& options) {
  return Upgrading(store, program, options).Run(databases);
}

}  // namespace tenure::dbtool
