#include "dbtool/change/upgrade.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "dbtool/change/field_texts.h"
#include "dbtool/change/key_order.h"
#include "dbtool/change/unused_places.h"
#include "dbtool/change/upgrade_plan.h"
#include "dbtool/values/bits.h"
#include "dbtool/values/object_shape.h"
#include "dbtool/values/value_conversion.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"

namespace tenure::dbtool {

namespace {

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
    Status lacking;  // the first type that the program lacks
    const TypePlanner planner(store_.types, types_, options_.renaming, options_.dropped,
                              options_.converter);
    for (const std::string& name : databases) {
      TN_ASSIGN_OR_RETURN(std::vector<TypeComparison> comparisons,
                          CompareTypes(store_, name, program_, renamed));
      std::ranges::stable_partition(comparisons,
                                    [](const TypeComparison& it) { return it.program == nullptr; });
      for (const TypeComparison& comparison : comparisons) {
        compared_.insert(comparison.stored->name);
        if (!comparison.difference.empty() || comparison.renamed != comparison.stored ||
            !HasNamesOf(*comparison.stored, comparison.program->type)) {
          UpgradedType upgraded{
              name, comparison.stored->name, comparison.objects, comparison.difference, {}};
          Result<TypePlan> plan = planner.Plan(name, comparison, &upgraded.dropped);
          if (!plan.ok() && comparison.program == nullptr) {
            // Its objects may be reached by fields only that are lost.
            refused_[comparison.stored->index] = plan.status();
            if (lacking.ok()) lacking = plan.status();
            continue;
          }
          // A type that the program lacks is most often why others differ.
          if (!plan.ok()) return lacking.ok() || MayLose() ? plan.status() : lacking;
          plans_[comparison.stored->index] = *std::move(plan);
          upgraded_.push_back(std::move(upgraded));
        }
      }
    }
    if (options_.planned) std::ranges::for_each(upgraded_, options_.planned);
    NoteIdleConverter();
    const Status lost = CheckNothingIsLost();
    if (!lost.ok() && !lacking.ok()) {
      return store::Failure(lost.code(), std::string(lost.text()) + "; " + lacking.text());
    }
    TN_RETURN_IF_ERROR(lost);
    if (!lacking.ok() && !MayLose()) return lacking;
    TN_RETURN_IF_ERROR(CheckKeys());
    if (plans_.empty() && refused_.empty()) {
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
    options.refusal = [this](const StoredType& type) {
      const auto found = refused_.find(type.index);
      return found == refused_.end() ? Status::Ok() : found->second;
    };
    options.problem = [this] { return problem_.ok() ? CheckConverterHasRead() : problem_; };
    options.only_try = options_.only_try;
    options.directory = options_.directory;
    options.may_rerun_conversions = options_.converter == nullptr;
    return Rewrite(store_, databases, options);
  }

 private:
  // The number of an entry of the type table.
  Result<uint32_t> EntryOf(const std::string& description) {
    if (options_.only_try) return uint32_t{1};
    return store_.server->AddType(std::as_bytes(std::span(description)));
  }

  // Gets from NEW the values of fields, and of elements, that are not copied.
  Status MakeDefaults(TypePlan* plan) {
    const ProgramType& program = *plan->program;
    plan->defaults = program.defaults;
    TN_RETURN_IF_ERROR(MakeDefaults(
        program.texts, program.procedures,
        [&](uint64_t slot) {
          return std::ranges::any_of(plan->moves, [&](const FieldMove& move) {
            const uint64_t at = move.to.bit_offset;
            return 8 * slot >= at && 8 * slot < at + move.to.bit_size &&
                   !move.value.Leaves(8 * slot - at);
          });
        },
        &plan->defaults, &plan->texts));
    if (!plan->elements) return Status::Ok();
    plan->element_defaults = program.element_defaults;
    return MakeDefaults(
        program.element_texts, program.element_procedures,
        [&](uint64_t slot) { return !plan->elements->Leaves(8 * slot); }, &plan->element_defaults,
        &plan->element_texts);
  }

  Status MakeDefaults(const std::vector<DefaultText>& texts,
                      const std::vector<DefaultProcedure>& procedures,
                      const std::function<bool(uint64_t slot)>& is_taken_over,
                      std::vector<std::byte>* bytes, std::vector<MadeObject>* objects) {
    for (const DefaultText& text : texts) {
      if (is_taken_over(text.slot)) continue;
      TN_ASSIGN_OR_RETURN(MadeObject made, values_.Literal(text));
      objects->push_back(std::move(made));
    }
    for (const DefaultProcedure& procedure : procedures) {
      if (is_taken_over(procedure.slot)) continue;
      TN_ASSIGN_OR_RETURN(const uint32_t entry, EntryOf("procedure " + procedure.name + "\n"));
      PutBits(*bytes, 8 * procedure.slot, 64,
              store::PersistentRef::Entry(store::RefKind::kProcedure, entry).bits);
    }
    return Status::Ok();
  }

  bool MayLose() const { return options_.dropped.all || !options_.dropped.fields.empty(); }

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
        known.insert(name);
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
      for (const GoneField& gone : plan.gone) {
        // A field that the converter can read is left to it until all objects have been converted.
        if (!plan.asked || !gone.can_be_read) lost.push_back(gone.name);
      }
    }
    return lost.empty() ? Status::Ok() : WouldBeLost(lost, "since the program does not have them");
  }

  // Whether a conversion leaves the part `path` of the type's objects, or of their elements, with
  // the same order and hash.
  bool KeepsOrder(const StoredType& type, const std::string& path) const {
    const auto found = plans_.find(type.index);
    if (found == plans_.end()) return true;
    const TypePlan& plan = found->second;
    if (plan.elements) return plan.elements->KeepsOrder(path);
    if (plan.unruled.contains(path)) return false;
    return std::ranges::all_of(plan.moves,
                               [&](const FieldMove& move) { return move.value.KeepsOrder(path); });
  }

  // Whether objects to which the field refers keep their order: keys may be compared by it.
  bool TargetsKeepOrder(const StoredType& type, const std::string& path) const {
    const StoredField* const field = FieldNamed(type, type.open() ? "" : path);
    if (field == nullptr) return true;
    const ValueTypePtr whole = KnownTypeOf(*field, type.open() ? type.element_slots : type.slots);
    if (whole == nullptr) return true;
    ValueTypePtr key = whole;
    if (type.open()) {
      const auto part = std::ranges::find(whole->fields, path, &ValueField::name);
      if (part == whole->fields.end()) return true;
      key = part->type;
    }
    const store::TypeName* const declared = ReferentOf(*field, *whole, key.get());
    if (declared == nullptr || declared->name == "REFANY" || declared->name == "ROOT") return true;
    return std::ranges::all_of(store_.types.all(), [&](const StoredType& target) {
      return !target.procedure.empty() || !target.IsA(*declared) || KeepsOrder(target, "");
    });
  }

  Status CheckKeys() const {
    std::set<std::string> told(options_.rebuilt.begin(), options_.rebuilt.end());
    for (const std::string& name : told) {
      if (std::ranges::find(store_.types.all(), name, &StoredType::name) ==
          store_.types.all().end()) {
        return store::Failure(
            StatusCode::kInvalidArgument,
            "the store has no type " + name + " ('tenure db schema' shows those it has)");
      }
    }
    for (const KeyField& key : KeyFields(store_.types)) {
      const std::string& name = key.container->name;
      if (told.contains(name)) continue;
      if (KeepsOrder(*key.holder, key.field) && TargetsKeepOrder(*key.holder, key.field)) continue;
      return store::Failure(
          StatusCode::kTypeMismatch,
          "the keys of containers of type " + name +
              " may get another order or another hash, so that they would not be found any more; "
              "--rebuild " +
              name +
              " converts them all the same: the program must then make these containers anew, "
              "from the entries that their iterate() gives");
    }
    return Status::Ok();
  }

  Status CheckConverterHasRead() const {
    std::vector<std::string> lost;
    for (const auto& [index, plan] : plans_) {
      for (const GoneField& gone : plan.gone) {
        if (plan.asked && offered_.contains({plan.stored->name, gone.member}) &&
            !options_.converter->HasRead(plan.stored->name, gone.member)) {
          lost.push_back(gone.name);
        }
      }
    }
    return lost.empty() ? Status::Ok()
                        : WouldBeLost(lost,
                                      "since neither the program has nor the converter "
                                      "reads them");
  }

  // How the elements lie, for ElementOffset; `value` is null if the store does not explain them.
  static ObjectShape ShapeOfElements(const StoredType& type, const ValueTypePtr& value) {
    ObjectShape shape;
    shape.element = value != nullptr ? value : UnknownValue("", 8 * type.element_bytes);
    shape.element_bits = shape.element->packed ? shape.element->bits : 8 * type.element_bytes;
    return shape;
  }

  // Whether the array is a container's, which does not use the element.
  Result<bool> IsUnused(const StoredObject& array, const std::vector<uint64_t>& at,
                        ObjectReader& reader) {
    if (at.size() != 1) return false;
    ObjectSource& source = reader.source();
    if (unused_ == nullptr || &unused_->source() != &source ||
        unused_->database() != source.database()) {
      TN_ASSIGN_OR_RETURN(unused_, UnusedPlaces::In(source));
    }
    return unused_->Has(array.at, at.front());
  }

  Converted ConvertElements(const TypePlan& plan, const StoredObject& object,
                            ObjectReader& reader) {
    const StoredType &before = *object.type, &now = plan.type;
    Converted converted{{object.payload.begin(), object.payload.end()}, {}};
    std::vector<std::byte>& payload = converted.payload;
    if (plan.elements->copies() && before.element_bytes == now.element_bytes) return converted;
    const std::optional<uint64_t> bytes = PayloadBytes(now, object.payload);
    if (!bytes) {
      Refuse(object, "the array would be too long");
      return converted;
    }
    payload.assign(*bytes, std::byte{0});
    CopyBits(object.payload, 0, payload, 0, 8 * now.elements_at());
    const ObjectShape from = ShapeOfElements(before, plan.elements->from());
    const ObjectShape to = ShapeOfElements(now, plan.elements->to());
    std::vector<uint64_t> lengths, at(now.open_dimensions, 0);
    for (uint64_t i = 0; i < now.open_dimensions; ++i) lengths.push_back(object.Word(8 * i));
    if (std::ranges::find(lengths, 0u) != lengths.end()) return converted;
    for (bool more = true; more;) {
      const uint64_t place = ElementOffset(now, to, lengths, at);
      if (!plan.element_defaults.empty()) {
        CopyBits(plan.element_defaults, 0, payload, place, to.element_bits);
      }
      for (const MadeObject& text : plan.element_texts) {
        converted.made.push_back(text);
        converted.made.back().slot += place / 8;
      }
      std::vector<ValueConversion::Misfit> misfits;
      plan.elements->Convert(object.payload, ElementOffset(before, from, lengths, at), payload,
                             place, &misfits);
      if (!misfits.empty()) {
        const Result<bool> unused = IsUnused(object, at, reader);
        if (!unused.ok()) {
          Refuse(object, unused.status().text(), unused.status().code());
          break;
        }
        if (!*unused || plan.element_defaults.empty()) {
          std::string place;
          for (const uint64_t index : at) place += "[" + std::to_string(index) + "]";
          Refuse(object, "element " + place + ": " + misfits.front().why);
          break;
        }
      }
      more = false;
      for (size_t i = at.size(); i-- > 0 && !more;) {
        more = ++at[i] < lengths[i];
        if (!more) at[i] = 0;
      }
    }
    return converted;
  }

  // A part of a new object for which the stored one gives no value.
  struct Unsettled {
    std::string member;  // what a converter calls it
    std::string why;     // in words
  };

  Converted Convert(const TypePlan& plan, const StoredObject& object, ObjectReader& reader) {
    if (plan.elements) return ConvertElements(plan, object, reader);
    Converted converted{plan.defaults, plan.texts};
    std::vector<std::byte>& payload = converted.payload;
    std::vector<Unsettled> unsettled;
    for (const FieldMove& move : plan.moves) {
      std::vector<ValueConversion::Misfit> misfits;
      move.value.Convert(object.payload, move.from.bit_offset, payload, move.to.bit_offset,
                         &misfits);
      for (ValueConversion::Misfit& misfit : misfits) {
        unsettled.push_back(
            {move.member + misfit.path.substr(move.to.name.size()), std::move(misfit.why)});
      }
    }
    for (const std::string& member : plan.left) {
      unsettled.push_back({member, "the converter does not set field " + member});
    }
    if (plan.asked && problem_.ok()) {
      const Status status = Ask(plan, object, reader, &converted, &unsettled);
      if (!status.ok()) Refuse(object, status.text(), status.code());
    }
    if (!unsettled.empty()) Refuse(object, unsettled.front().why);
    return converted;
  }

  // Asks the converter for the object's new fields, which settles those that it sets.
  Status Ask(const TypePlan& plan, const StoredObject& object, ObjectReader& reader,
             Converted* converted, std::vector<Unsettled>* unsettled) {
    const std::string name = object.type->name;
    TN_ASSIGN_OR_RETURN(const FieldValues old, values_.Of(object, reader));
    for (const auto& [field, value] : old) offered_.insert({name, field});
    TN_ASSIGN_OR_RETURN(const FieldValues set, options_.converter->Convert(name, old));
    for (const auto& [field, value] : set) {
      TN_RETURN_IF_ERROR(values_.Put(plan.type, field, value, converted));
      // A value for a record settles all members of the record.
      std::erase_if(*unsettled, [&](const Unsettled& one) {
        return one.member == field || one.member.starts_with(field + ".");
      });
    }
    return Status::Ok();
  }

  // The first refusal ends the upgrade.
  void Refuse(const StoredObject& object, const std::string& why,
              StatusCode code = StatusCode::kTypeMismatch) {
    if (!problem_.ok()) return;
    problem_ = store::Failure(
        code, "object " + Show(object.at) + " of type " + object.type->name + ": " + why);
  }

  OpenedStore& store_;
  const std::vector<ProgramType>& program_;
  const store::TypeKeys types_;  // of the program
  FieldTexts values_;
  const UpgradeOptions& options_;
  std::map<uint32_t, TypePlan> plans_;  // by index of the stored type
  std::map<uint32_t, Status> refused_;  // types that the program lacks, by index
  std::vector<UpgradedType> upgraded_;
  std::unique_ptr<UnusedPlaces> unused_;  // of the database being converted; null: not yet
  std::set<std::string> compared_;        // stored types that have objects
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
