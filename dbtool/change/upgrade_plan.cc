#include "dbtool/change/upgrade_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dbtool/change/field_texts.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"

namespace tenure::dbtool {

namespace {

constexpr const char kByAProgram[] =
    "a program that has the old type and, under another name, the new one can make new objects "
    "from the old ones";

PlacedField Placed(const StoredType& type, const StoredField& field) {
  return {type, field, type.open() ? type.element_slots : type.slots};
}

const TextPart* PartNamed(const std::vector<TextPart>& parts, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &TextPart::name);
  return found == parts.end() ? nullptr : &*found;
}

// For a field without a rule: how its values can be kept, or given up.
std::string WayFor(const std::string& name, bool can_be_set) {
  return (can_be_set ? std::string("a converter can compute it (DatabaseConverter.i3)")
                     : std::string(kByAProgram)) +
         "; --drop-field " + name + " gives it the value that NEW gives";
}

// For each field of the program's type the number of the stored field that it was; nothing: it is
// new. A type may have several fields of a name, as one hides those of its supertypes.
class FieldPairs {
 public:
  FieldPairs(const StoredType& stored, const StoredType& program) : of_(program.fields.size()) {
    std::map<std::string, std::vector<size_t>> before, now;
    for (size_t i = 0; i < stored.fields.size(); ++i) before[stored.fields[i].name].push_back(i);
    for (size_t i = 0; i < program.fields.size(); ++i) now[program.fields[i].name].push_back(i);
    for (const auto& [name, places] : now) {
      const std::vector<size_t>& were = before[name];
      // The supertype's comes first in both.
      if (were.size() == places.size()) {
        for (size_t i = 0; i < places.size(); ++i) of_[places[i]] = were[i];
      } else if (!were.empty()) {
        unclear_ = name;
      }
    }
  }

  std::optional<size_t> Of(size_t field) const { return of_[field]; }
  bool Stays(size_t stored) const {
    return std::ranges::find(of_, std::optional(stored)) != of_.end();
  }
  // The name of fields of which there are more or fewer now, so that nobody can tell which of them
  // was which.
  const std::string& unclear() const { return unclear_; }

 private:
  std::vector<std::optional<size_t>> of_;
  std::string unclear_;
};

}  // namespace

bool HasNamesOf(const StoredType& stored, const StoredType& program) {
  const auto same = [](const std::vector<store::TypeName>& before,
                       const std::vector<store::TypeName>& now) {
    // An older store lacks these names.
    return before.empty() || std::ranges::equal(before, now, [](const auto& a, const auto& b) {
             return a.IsSame(b);
           });
  };
  const store::TypeName own{stored.fingerprint, stored.name, stored.brand};
  if (!own.IsSame({program.fingerprint, program.name, program.brand}) ||
      !same(stored.supertypes, program.supertypes)) {
    return false;
  }
  for (size_t i = 0; i < std::min(stored.fields.size(), program.fields.size()); ++i) {
    if (!same(stored.fields[i].refers, program.fields[i].refers)) return false;
  }
  return true;
}

class TypePlanner::Planning {
 public:
  Planning(const TypePlanner& planner, const std::string& database,
           const TypeComparison& comparison, std::vector<std::string>* dropped)
      : planner_(planner),
        database_(database),
        comparison_(comparison),
        original_(*comparison.stored),
        stored_(*comparison.renamed),
        dropped_(*dropped),
        readable_(TextPartsOf(original_)) {}

  Result<TypePlan> Run() {
    if (comparison_.program == nullptr) {
      return Refuse(comparison_.difference +
                    (comparison_.way.empty() ? "" : " (" + comparison_.way + ")"));
    }
    const StoredType& now = comparison_.program->type;
    if (!store::LostSupertype(stored_.description, now.description, planner_.program_).empty()) {
      return Refuse(comparison_.difference);
    }
    plan_.stored = comparison_.stored;
    plan_.program = comparison_.program;
    settable_ = TextPartsOf(now);
    const auto only_elements = [](const StoredType& type) {
      return type.open() && type.payload_bytes == 0 && type.fields.size() == 1;
    };
    if (only_elements(stored_) && only_elements(now) &&
        stored_.open_dimensions == now.open_dimensions) {
      TN_RETURN_IF_ERROR(PlanElements(now));
    } else if (stored_.open() || now.open() || stored_.kind != now.kind) {
      return Refuse("only fields of objects and records can be (" + comparison_.difference + ")");
    } else {
      TN_RETURN_IF_ERROR(PlanFields(now));
    }
    return std::move(plan_);
  }

 private:
  Status Refuse(const std::string& why) const {
    return store::Failure(
        StatusCode::kTypeMismatch,
        "database " + database_ + ": type " + original_.name + " cannot be converted: " + why);
  }

  // `path`: of the field, or of one inside of it, by stored names.
  bool MayBeLost(size_t field, const std::string& path) const {
    const DroppedFields& dropped = planner_.dropped_;
    const std::vector<std::string> names = NamesOfField(planner_.stored_, original_, field, path);
    return dropped.all || std::ranges::any_of(names, [&](const std::string& name) {
             return dropped.fields.contains(name);
           });
  }

  // The user's name of stored field `field`, or of a field inside it.
  std::string NameOf(size_t field, const std::string& path) const {
    return NamesOfField(planner_.stored_, original_, field, path).front();
  }

  // `path`: of field `field`, or of one inside of it, by stored names. What a converter calls it.
  std::string MemberOf(size_t field, const std::string& path) const {
    return MemberName(original_, field) + path.substr(original_.fields[field].name.size());
  }
  bool IsRead(size_t field, const std::string& path) const {
    return PartNamed(readable_, MemberOf(field, path)) != nullptr;
  }
  // `place`: the number of the program's field; `path`: of it, or of one inside of it.
  std::string SetMember(size_t place, const std::string& path) const {
    const StoredType& now = comparison_.program->type;
    return MemberName(now, place) + path.substr(now.fields[place].name.size());
  }

  // The conversion of a field, or of elements.
  Result<ValueConversion> Convert(size_t field, size_t place, bool has_defaults,
                                  ValueConversion::Unruled* unruled) const {
    const StoredType& now = comparison_.program->type;
    ValueConversion::Options options;
    options.has_defaults = has_defaults;
    options.stored_name = original_.fields[field].name;
    options.renamed = [&](const std::string& path, const std::string& name) {
      return NameOfInner(planner_.stored_, original_, field, path, planner_.renaming_, name);
    };
    options.may_be_lost = [&](const std::string& path) { return MayBeLost(field, path); };
    options.is_set = [&](const std::string& path) {
      return plan_.asked && PartNamed(settable_, SetMember(place, path)) != nullptr;
    };
    return ValueConversion::Make(Placed(stored_, stored_.fields[field]),
                                 Placed(now, now.fields[place]), planner_.program_, options,
                                 unruled);
  }

  // Notes what the conversion loses, allowed or not, and what it leaves to the converter.
  void TakeLosses(size_t field, size_t place, const ValueConversion& value) {
    const auto with_part = [](const std::string& name, const std::string& part) {
      return part.empty() ? name : name + " (" + part + ")";
    };
    for (const ValueConversion::Loss& loss : value.lost()) {
      plan_.gone.push_back({MemberOf(field, loss.stored_path),
                            with_part(NameOf(field, loss.stored_path), loss.part),
                            IsRead(field, loss.stored_path)});
    }
    for (const ValueConversion::Loss& loss : value.allowed_losses()) {
      dropped_.push_back(with_part(loss.stored_path, loss.part));
    }
    for (const std::string& path : value.left()) plan_.left.insert(SetMember(place, path));
  }

  Status PlanElements(const StoredType& now) {
    const bool told = plan_.program->element_defaults.size() == now.element_bytes;
    ValueConversion::Unruled unruled;
    const Result<ValueConversion> value = Convert(0, 0, told, &unruled);
    if (!value.ok()) {
      return Refuse("the elements of the array: " + std::string(value.status().text()) + "; " +
                    (unruled.stored_path.empty() ? std::string(kByAProgram)
                                                 : WayFor(NameOf(0, unruled.stored_path), false)));
    }
    TakeLosses(0, 0, *value);
    plan_.elements = *value;
    return Status::Ok();
  }

  Status PlanFields(const StoredType& now) {
    const auto inside = [](const StoredType& type) {
      return std::ranges::all_of(type.fields, [&](const StoredField& field) {
        return field.bit_offset + field.bit_size <= 8 * type.payload_bytes;
      });
    };
    if (!inside(stored_) || !inside(now)) return Refuse("a field lies outside of the object");
    const FieldPairs pairs(stored_, now);
    if (!pairs.unclear().empty()) {
      const auto first = std::ranges::find(stored_.fields, pairs.unclear(), &StoredField::name);
      const auto place = static_cast<size_t>(first - stored_.fields.begin());
      return Refuse("the type and its supertypes have another number of fields named " +
                    pairs.unclear() + " in the program; --rename-field " +
                    NameOf(place, original_.fields[place].name) +
                    "=NEW, and another name in the program, tell them apart");
    }
    plan_.asked = planner_.converter_ != nullptr && planner_.converter_->Converts(original_.name);
    std::vector<const StoredField*> fresh;  // fields that get their default
    for (size_t i = 0; i < now.fields.size(); ++i) {
      const StoredField& to = now.fields[i];
      const std::optional<size_t> from = pairs.Of(i);
      if (!from) {
        fresh.push_back(&to);
        continue;
      }
      ValueConversion::Unruled unruled;
      Result<ValueConversion> value = Convert(*from, i, true, &unruled);
      if (value.ok()) {
        TakeLosses(*from, i, *value);
        plan_.moves.push_back({stored_.fields[*from], to, *std::move(value), MemberName(now, i)});
        continue;
      }
      const std::string& stored_name = original_.fields[*from].name;
      if (plan_.asked && PartNamed(settable_, SetMember(i, to.name)) != nullptr) {
        plan_.left.insert(SetMember(i, to.name));
        plan_.unruled.insert(stored_name);
      } else if (MayBeLost(*from, stored_name)) {
        fresh.push_back(&to);
        plan_.unruled.insert(stored_name);
        dropped_.push_back(stored_name);
      } else {
        const bool can_be_set = PartNamed(settable_, SetMember(i, unruled.path)) != nullptr;
        return Refuse(std::string(value.status().text()) + "; " +
                      WayFor(NameOf(*from, unruled.stored_path), can_be_set));
      }
    }
    TN_RETURN_IF_ERROR(TakeGone(pairs));
    for (const StoredField* to : fresh) {
      if (plan_.program->defaults_whole || SlotsIn(now.slots, *to).empty()) continue;
      return Refuse(
          "the program was built by an older tenure, which does not tell the default of field " +
          to->name + ": build it anew");
    }
    return Status::Ok();
  }

  // The stored fields that the program does not have.
  Status TakeGone(const FieldPairs& pairs) {
    for (size_t i = 0; i < stored_.fields.size(); ++i) {
      if (pairs.Stays(i)) continue;
      const std::string &field = original_.fields[i].name, &now = stored_.fields[i].name;
      if (now != field) {
        return Refuse("the program's type has no field " + now + ", as " + field +
                      " is to be called");
      }
      const bool may_be_lost = MayBeLost(i, field), is_read = IsRead(i, field);
      if (!may_be_lost) plan_.gone.push_back({MemberOf(i, field), NameOf(i, field), is_read});
      if (may_be_lost || !plan_.asked || !is_read) dropped_.push_back(field);
    }
    return Status::Ok();
  }

  const TypePlanner& planner_;
  const std::string& database_;
  const TypeComparison& comparison_;
  const StoredType &original_, &stored_;  // without and with renamings
  std::vector<std::string>& dropped_;
  const std::vector<TextPart> readable_;
  std::vector<TextPart> settable_;
  TypePlan plan_;
};

Result<TypePlan> TypePlanner::Plan(const std::string& database, const TypeComparison& comparison,
                                   std::vector<std::string>* dropped) const {
  return Planning(*this, database, comparison, dropped).Run();
}

}  // namespace tenure::dbtool
