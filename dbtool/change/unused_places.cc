#include "dbtool/change/unused_places.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dbtool/change/key_order.h"
#include "dbtool/values/container.h"
#include "dbtool/values/walk.h"

namespace tenure::dbtool {

void UnusedPlaces::FindOwners() {
  for (const StoredType& type : source_.types().all()) {
    Owner owner;
    owner.view = type.procedure.empty() ? views_.For(type, &owner.exact) : nullptr;
    if (owner.view == nullptr) continue;
    switch (owner.view->form) {
      case ViewForm::kSlots:
      case ViewForm::kRing:
      case ViewForm::kArray: owners_[type.index] = owner; break;
      case ViewForm::kBPlusTree:
        for (const StoredType* node :
             TypesReferredTo(source_.types(), type, owner.view->Field("root"))) {
          owners_[node->index] = {owner.view, true, true};
        }
        break;
      default: break;
    }
  }
}

Status UnusedPlaces::Note(const Owner& owner, const ObjectPtr& object) {
  const View& view = *owner.view;
  const auto field = [&](const char* role) {
    return values_.Field(object, view.Field(role), !owner.exact);
  };
  const auto note = [&](const char* role, Use use) -> Status {
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> array, field(role));
    if (!array || array->kind != DatumKind::kReference) return Status::Ok();
    const auto [place, fresh] = uses_.emplace(array->reference.bits, use);
    if (!fresh) place->second.shared = true;
    return Status::Ok();
  };
  const auto number = [&](const char* role) -> Result<uint64_t> {
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> found, field(role));
    // Who does not say how many elements are used uses all.
    return found ? static_cast<uint64_t>(std::max<__int128>(found->number, 0)) : UINT64_MAX;
  };
  if (view.form == ViewForm::kSlots) return note("slots", {.slots = &view});
  Use use;
  if (owner.node) {
    TN_ASSIGN_OR_RETURN(use.count, number("count"));
    TN_RETURN_IF_ERROR(note("items", use));
    // What lies below the first branch has no least key: nothing reads the branch's key.
    return note("branches", {.first = 1, .count = use.count - std::min<uint64_t>(use.count, 1)});
  }
  TN_ASSIGN_OR_RETURN(use.count, number("size"));
  use.first = static_cast<uint64_t>(std::max<__int128>(view.from, 0));
  if (view.form == ViewForm::kRing) {
    TN_ASSIGN_OR_RETURN(use.first, number("start"));
  }
  return note("elements", use);
}

Result<std::unique_ptr<UnusedPlaces>> UnusedPlaces::In(ObjectSource& source) {
  std::unique_ptr<UnusedPlaces> places(new UnusedPlaces(source));
  places->FindOwners();
  Status failed;
  const Status walked = WalkObjects(
      source, [&](const StoredType& type) { return places->owners_.contains(type.index); },
      [&](const ObjectPtr& object) {
        failed = places->Note(places->owners_.at(object->type().index), object);
        return failed.ok();
      },
      [&](const Status& damage) { failed = damage; });
  TN_RETURN_IF_ERROR(failed);
  TN_RETURN_IF_ERROR(walked);
  return places;
}

Result<bool> UnusedPlaces::Has(store::PersistentRef array, uint64_t place) {
  const auto found = uses_.find(array.bits);
  if (found == uses_.end() || found->second.shared) return false;
  const Use& use = found->second;
  TN_ASSIGN_OR_RETURN(const ObjectPtr object, source_.Load(array));
  TN_ASSIGN_OR_RETURN(const Datum elements, OpenArrayIn(values_, object));
  if (elements.none() || place >= elements.type->count()) return false;
  if (use.slots == nullptr) {
    const uint64_t room = elements.type->count();
    return (place + room - use.first % room) % room >= use.count;
  }
  TN_ASSIGN_OR_RETURN(const Datum slot, values_.Element(elements, place));
  TN_ASSIGN_OR_RETURN(const std::optional<Datum> mark,
                      values_.FieldOf(slot, use.slots->Field("mark")));
  return mark && use.slots->IsUnused(mark->number);
}

}  // namespace tenure::dbtool
